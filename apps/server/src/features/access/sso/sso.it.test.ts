import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { sso, SSO_PREFIX } from '@weft/contract/access/sso/api'
import type { SsoProvider } from '@weft/contract/access/sso/schema'
import { twoSteps } from '@weft/contract/access/two-steps/api'
import { Secret, TOTP } from 'otpauth'
import {
  cookieHeader,
  keepCookies,
  refusal,
  testBrowser,
  type TestBrowser,
} from '../../../testing/browser.ts'
import { testOidcServer, type TestOidcServer } from '../../../testing/oidc-server.ts'
import { TEST_PASSWORD, type TestPerson } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

/** People reach the server at another address than it listens on, as behind a proxy. */
const PUBLIC = 'http://127.0.0.1:4600'
const CLIENT = {
  clientId: 'weft',
  clientSecret: 'what only the two know',
  redirectUri: `${PUBLIC}${SSO_PREFIX}/corp/callback`,
}

let server: TestServer
let oidc: TestOidcServer
let admin: TestPerson
let provider: SsoProvider
let clock = Date.now()

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(clock), settings: { publicUrl: PUBLIC } })
  oidc = await testOidcServer(CLIENT)
  admin = await server.as('administrator')
  const { clientId: appKey, clientSecret: appSecret } = CLIENT
  provider = await admin
    .api(sso)
    .create({ key: 'corp', name: 'Corporation', issuer: oidc.issuer, appKey, appSecret, signUp: true })
})
afterAll(async () => {
  await server.stop()
  await oidc[Symbol.asyncDispose]()
})
beforeEach(() => server.deps.pool.query('delete from sign_in_throttle'))

/** One step of a browser through redirects, the cookies of each host apart. */
async function visit(jars: Map<string, Map<string, string>>, url: URL): Promise<URL | undefined> {
  const jar = jars.get(url.host) ?? new Map<string, string>()
  jars.set(url.host, jar)
  const at = url.host === new URL(PUBLIC).host ? url.href.replace(PUBLIC, server.url) : url.href
  const response = await fetch(at, { redirect: 'manual', headers: { cookie: cookieHeader(jar) } })
  keepCookies(jar, response)
  const location = response.headers.get('location')
  if (location === null) throw new Error(`no redirect from ${url.pathname}: ${await response.text()}`)
  const next = new URL(location, url)
  return next
}

interface Trip {
  /** The page of the console where the browser ends. */
  end: URL
  /** The way back from the provider, with code and state. */
  callback: URL | undefined
  browser: TestBrowser
}

/** Goes to the provider and back, all the way or up to the door. */
async function travel(
  options: { query?: string; stop?: boolean; key?: string; browser?: TestBrowser } = {},
): Promise<Trip> {
  const browser = options.browser ?? testBrowser(server.url)
  const jars = new Map([[new URL(PUBLIC).host, browser.jar]])
  let url = new URL(`${PUBLIC}${SSO_PREFIX}/${options.key ?? 'corp'}/start${options.query ?? ''}`)
  for (let steps = 0; steps < 10; steps += 1) {
    const next = await visit(jars, url)
    if (!next) break
    if (next.pathname.endsWith('/callback') && options.stop) return { end: next, callback: next, browser }
    const home = next.host === new URL(PUBLIC).host && !next.pathname.startsWith(SSO_PREFIX)
    if (home) return { end: next, callback: url.pathname.endsWith('/callback') ? url : undefined, browser }
    url = next
  }
  throw new Error('the browser goes round in circles')
}

/** Visits an address of the server with a browser's cookies; gives the page where it ends. */
async function arrive(url: URL, browser: TestBrowser): Promise<URL> {
  const end = await visit(new Map([[new URL(PUBLIC).host, browser.jar]]), url)
  if (!end) throw new Error('nowhere')
  return end
}

const failed = (end: URL) => end.searchParams.get('failed')

/** The person of a browser that came back, by its refresh cookie, as the console finds out. */
async function whoIs(browser: TestBrowser) {
  const { token, user } = await browser.api(access).refresh({})
  browser.transport.token = token
  return user
}

const kim = { sub: 'kim-1', email: 'kim@example.org', email_verified: true, name: 'Kim Lee' }

describe('signing in with a provider', () => {
  it('makes somebody new with the provider’s role, and knows them by their subject afterwards', async () => {
    oidc.person = { ...kim, preferred_username: 'kim' }
    const first = await travel({ query: '?nextUrl=%2Fcms%2Fcampaign%2Flist%3Fpage%3D2' })
    expect(first.end.pathname + first.end.search).toBe(
      '/auth/login?sso=done&nextUrl=%2Fcms%2Fcampaign%2Flist%3Fpage%3D2',
    )
    const user = await whoIs(first.browser)
    expect(user).toMatchObject({
      username: 'kim',
      displayName: 'Kim Lee',
      email: 'kim@example.org',
      roles: ['viewer'],
    })
    expect((await first.browser.api(access).sessions({})).data[0]).toMatchObject({ remembered: false })
    // The address changes at the provider; the person does not.
    oidc.person = { ...kim, email: 'kim.new@example.org' }
    const second = await travel({ query: '?remember=1' })
    expect((await whoIs(second.browser)).id).toBe(user.id)
    expect((await second.browser.api(access).sessions({})).data[0]).toMatchObject({ remembered: true })
    const { rows } = await server.deps.pool.query<{ label: string }>(
      'select label from audit where record_id = $1 order by at, id',
      [user.id],
    )
    expect(rows.map(({ label }) => label).sort()).toEqual([
      'sso.link',
      'sso.sign_in',
      'sso.sign_in',
      'sso.sign_up',
    ])
    // Without a password there is no way in by one.
    expect((await refusal(testBrowser(server.url).signIn('kim', TEST_PASSWORD))).code).toBe(
      'auth.wrong_credentials',
    )
  })

  it('finds somebody by an address that the provider has verified, and by no other', async () => {
    const ann = await server.as('operator', 'ann')
    await server.deps.pool.query(
      `update app_user set email = 'Ann@example.org', email_key = 'ann@example.org' where id = $1`,
      [ann.id],
    )
    oidc.person = { sub: 'ann-1', email: 'ann@example.org', email_verified: false }
    expect(failed((await travel()).end)).toBe('sso.email_unverified')
    oidc.person = { sub: 'ann-1' }
    expect(failed((await travel()).end)).toBe('sso.email_unverified')
    oidc.person = { sub: 'ann-1', email: 'ANN@example.org', email_verified: true }
    expect((await whoIs((await travel()).browser)).id).toBe(ann.id)
    // Somebody else who got the address later is not that person.
    oidc.person = { sub: 'ann-2', email: 'ann@example.org', email_verified: true }
    expect(failed((await travel()).end)).toBe('sso.no_account')
  })

  it('takes nobody in whom nobody has made, where the provider may not', async () => {
    provider = await admin.api(sso).update({ id: provider.id, version: provider.version, signUp: false })
    oidc.person = { sub: 'new-1', email: 'new@example.org', email_verified: true }
    const { end, browser } = await travel()
    expect(failed(end)).toBe('sso.no_account')
    expect(browser.jar.has('rt')).toBe(false)
    provider = await admin.api(sso).update({ id: provider.id, version: provider.version, signUp: true })
    oidc.person = { sub: 'odd-1', email: 'odd@example.org', email_verified: true, preferred_username: 'ann' }
    // A name that somebody has here already is not given twice.
    expect((await whoIs((await travel()).browser)).username).toBe('odd@example.org')
  })

  it('keeps out who is suspended', async () => {
    oidc.person = { sub: 'sue-1', email: 'sue@example.org', email_verified: true }
    const { id } = await whoIs((await travel()).browser)
    await server.deps.pool.query(`update app_user set status = 'suspended' where id = $1`, [id])
    expect(failed((await travel()).end)).toBe('sso.suspended')
  })

  it('asks for the second step of who has one', async () => {
    const tom = await server.as('operator', 'tom')
    await server.deps.pool.query(
      `update app_user set email = 'tom@example.org', email_key = 'tom@example.org' where id = $1`,
      [tom.id],
    )
    const { secret } = await tom.api(twoSteps).enrol({})
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock })
    await tom.api(twoSteps).confirm({ code: code() })
    clock += 60_000
    oidc.person = { sub: 'tom-1', email: 'tom@example.org', email_verified: true }
    const { end, browser } = await travel()
    expect(end.pathname).toBe('/auth/two-steps')
    expect(browser.jar.has('rt')).toBe(false)
    const kept = new URLSearchParams(end.hash.slice(1))
    expect(kept.get('methods')).toBe('totp,recovery')
    const ticket = kept.get('ticket') ?? ''
    expect((await browser.api(twoSteps).next({ ticket, method: 'totp', code: code() })).user.id).toBe(tom.id)
  })
})

describe('the way back', () => {
  it('is good once, for the browser that left, and for ten minutes', async () => {
    oidc.person = kim
    const { callback, browser } = await travel({ stop: true })
    if (!callback) throw new Error('no way back')
    const { browser: thief } = await travel({ stop: true })
    expect(failed(await arrive(callback, thief))).toBe('sso.ended')
    expect(failed(await arrive(callback, testBrowser(server.url)))).toBe('sso.ended')
    expect(failed(await arrive(callback, browser))).toBeNull()
    expect(failed(await arrive(callback, browser))).toBe('sso.ended')
    const again = await travel()
    if (!again.callback) throw new Error('no way back')
    expect(failed(await arrive(again.callback, again.browser))).toBe('sso.ended')
    const late = await travel({ stop: true })
    clock += 11 * 60_000
    expect(failed(await arrive(late.end, late.browser))).toBe('sso.ended')
  })

  it('is refused with another’s code, a made-up state, or an error of the provider', async () => {
    oidc.person = kim
    const mine = await travel({ stop: true })
    oidc.person = { ...kim, sub: 'mallory' }
    const theirs = await travel({ stop: true })
    const mixed = new URL(mine.end)
    mixed.searchParams.set('code', theirs.end.searchParams.get('code') ?? '')
    expect(failed(await arrive(mixed, mine.browser))).toBe('sso.failed')
    const madeUp = new URL(theirs.end)
    madeUp.searchParams.set('state', 'made-up')
    expect(failed(await arrive(madeUp, theirs.browser))).toBe('sso.ended')
    const denied = await travel({ stop: true })
    const refused = new URL(denied.end)
    refused.searchParams.delete('code')
    refused.searchParams.set('error', 'access_denied')
    expect(failed(await arrive(refused, denied.browser))).toBe('sso.failed')
    const empty = new URL(`${PUBLIC}${SSO_PREFIX}/corp/callback`)
    expect(failed(await arrive(empty, testBrowser(server.url)))).toBe('sso.ended')
  })

  it('leads to a page of this console and nowhere else', async () => {
    oidc.person = kim
    for (const away of ['https://evil.example', '//evil.example', '/\\evil.example', '/.//evil.example', 'x'])
      expect((await travel({ query: `?nextUrl=${encodeURIComponent(away)}` })).end.href).toBe(
        `${PUBLIC}/auth/login?sso=done`,
      )
  })
})

describe('a provider', () => {
  it('is kept by administrators alone, its secret never shown, each change audited', async () => {
    const operator = await server.as('operator', 'ola')
    expect((await refusal(operator.api(sso).list({}))).code).toBe('access.denied')
    const fresh = await server.as('administrator', 'chief')
    const seen = JSON.stringify([await fresh.api(sso).list({}), await server.anonymous.api(sso).buttons({})])
    expect(seen).not.toContain(CLIENT.clientSecret)
    expect(await server.anonymous.api(sso).buttons({})).toMatchObject({
      data: [{ key: 'corp', name: 'Corporation', startUrl: `${SSO_PREFIX}/corp/start` }],
    })
    const { rows } = await server.deps.pool.query<object>(
      `select to_jsonb(a)::text as text from audit a where feature = 'sso'
       union all select to_jsonb(p)::text from sso_provider p`,
    )
    expect(rows.length).toBeGreaterThan(2)
    expect(JSON.stringify(rows)).not.toContain(CLIENT.clientSecret)
  })

  it('that is wrong, unknown, switched off or away is told by a code', async () => {
    const chief = await server.as('administrator', 'chief')
    const wrong = { key: 'other', name: 'Other', appKey: 'x' }
    for (const issuer of ['http://id.example.org', 'ftp://id.example.org', 'x'])
      expect((await refusal(chief.api(sso).create({ ...wrong, issuer }))).httpStatus).toBe(422)
    const https = 'https://id.example.org'
    const noRole = await refusal(chief.api(sso).create({ ...wrong, issuer: https, roleKey: 'king' }))
    expect(noRole.body.errors?.[0]).toMatchObject({ path: 'roleKey' })
    expect((await refusal(chief.api(sso).create({ ...wrong, key: 'corp', issuer: https }))).code).toBe(
      'record.duplicate',
    )
    expect(failed((await travel({ key: 'nowhere' })).end)).toBe('sso.unknown_provider')
    await chief.api(sso).create({ ...wrong, key: 'away', issuer: 'http://127.0.0.1:9' })
    expect(failed((await travel({ key: 'away' })).end)).toBe('sso.unreachable')
    const stale = chief.api(sso).update({ id: provider.id, version: 1, name: 'Old' })
    expect((await refusal(stale)).code).toBe('record.stale')
    provider = await chief
      .api(sso)
      .update({ id: provider.id, version: provider.version, appSecret: 'not theirs' })
    oidc.person = kim
    expect(failed((await travel()).end)).toBe('sso.failed')
    provider = await chief.api(sso).update({ id: provider.id, version: provider.version, enabled: false })
    expect(failed((await travel()).end)).toBe('sso.unknown_provider')
    await chief.api(sso).remove({ id: provider.id })
    expect((await refusal(chief.api(sso).get({ id: provider.id }))).code).toBe('record.not_found')
    const { rows } = await server.deps.pool.query(`select 1 from app_user where username = 'kim'`)
    expect(rows).toHaveLength(1)
  })
})
