import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Practice, startPractice } from '../src/site.ts'
import { formatNumber } from '../src/store/notice.ts'
import { account, file, ONE_PIXEL_PNG, Visitor } from './visitor.ts'

let folder: string
let site: Practice

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'practice-'))
  site = await startPractice({ port: 0, dataDir: folder })
})
afterEach(async () => {
  await site.store.switches.clear()
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

const visitor = (): Visitor => new Visitor(site.url)
async function signedIn(number: number): Promise<Visitor> {
  const somebody = visitor()
  expect((await somebody.signIn(account(number))).status).toBe(303)
  return somebody
}
const NOTICE = { title: 'Two oars', body: 'Ash, hardly used', category: 'for-sale' }

describe('every page', () => {
  const pages = [
    '/',
    '/sign-in',
    '/sign-out',
    '/notices',
    '/notices/1',
    '/prices',
    '/useful',
    '/useful/tides',
    '/useful/hours',
    '/arrivals?every=0',
    '/switches',
  ]

  it.each(['', '/fr', '/ar'])('answers in its language with strict headers (%s)', async (prefix) => {
    for (const page of pages) {
      const { status, text, headers } = await visitor().get(prefix + page)
      expect([page, status]).toEqual([page, 200])
      expect(text).toContain(
        `<html lang="${prefix.slice(1) || 'en'}" dir="${prefix === '/ar' ? 'rtl' : 'ltr'}">`,
      )
      // The random token of a form may spell anything.
      expect(text.replaceAll(/name="form_token" value="[^"]*"/g, '')).not.toMatch(/undefined|\[object|NaN/)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('is not found when there is none', async () => {
    for (const path of [
      '/nowhere',
      '/ar/nowhere',
      '/notices/0',
      '/notices/abc',
      '/notices/99999999999',
      '/pictures/..%2fkey',
    ]) {
      expect((await visitor().get(path)).status).toBe(404)
    }
    expect((await visitor().get('/%zz')).status).toBe(400)
  })
})

describe('signing in', () => {
  it('refuses a wrong password with a message and keeps the name', async () => {
    const answer = await visitor().send('/sign-in', { username: 'harbour01', password: 'guess' })
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('do not belong together')
    expect(answer.text).toContain('value="harbour01"')
    expect(answer.text).not.toContain('guess')
  })

  it('goes back to where one wanted to be, and to no other site', async () => {
    const somebody = visitor()
    const asked = await somebody.get('/ar/notices/new')
    expect(asked.status).toBe(303)
    expect(asked.location).toContain('next=%2Far%2Fnotices%2Fnew')
    const { username, password } = account(1)
    const done = await somebody.send('/sign-in', { username, password, next: '/ar/notices/new' })
    expect(done.location).toBe('/ar/notices/new')
    expect((await visitor().send('/sign-in', { username, password, next: '//evil.example' })).location).toBe(
      '/notices',
    )
  })

  it('ends with signing out, even for a copied cookie', async () => {
    const somebody = await signedIn(1)
    expect((await somebody.get('/profile')).text).toContain('harbour01@saltmere.example')
    expect((await somebody.send('/profile', {}, '/sign-out')).status).toBe(303)
    expect((await somebody.get('/profile')).status).toBe(303)
  })

  it('takes forms only with their token', async () => {
    const somebody = await signedIn(1)
    const before = site.store.board.list().length
    for (const token of ['', 'wrong', await visitor().token('/sign-in')]) {
      const form = new FormData()
      for (const [name, value] of Object.entries({ ...NOTICE, form_token: token })) form.set(name, value)
      expect((await somebody.request('/notices/new', { method: 'POST', body: form })).status).toBe(403)
    }
    expect(site.store.board.list()).toHaveLength(before)
  })
})

describe('posting', () => {
  it('tells the number, shows the picture, and posts again when sent again', async () => {
    const somebody = await signedIn(2)
    const sent = { ...NOTICE, title: '<b>Oars</b> & more', urgent: 'yes', picture: file(ONE_PIXEL_PNG) }
    const first = await somebody.send('/notices/new', sent)
    const second = await somebody.send('/notices/new', sent)
    expect(first.status).toBe(303)
    expect(second.location).not.toBe(first.location)
    const { text } = await somebody.get(first.location ?? '')
    const number = Number(/\/notices\/(\d+)/.exec(first.location ?? '')?.[1])
    expect(text).toContain(formatNumber(number))
    expect(text).toContain('data-testid="notice-number"')
    expect(text).toContain('&lt;b&gt;Oars&lt;/b&gt; &amp; more')
    const picture = /src="(\/pictures\/[^"]+)"/.exec(text)?.[1] ?? ''
    const shown = await fetch(site.url + picture)
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(ONE_PIXEL_PNG)
    const counted = await visitor().get(
      `/api/notices/count?by=account&title=${encodeURIComponent(sent.title)}`,
    )
    expect(JSON.parse(counted.text)).toMatchObject({
      total: 2,
      repeated: 1,
      groups: [{ key: 'harbour02', count: 2, numbers: [number, number + 1] }],
    })
  })

  it('shows what is wrong and keeps what was typed', async () => {
    const somebody = await signedIn(2)
    const answer = await somebody.send('/notices/new', {
      title: 'x',
      body: '  ',
      category: 'gossip',
      show_until: '2027-02-30',
      picture: file(Buffer.from('<svg onload=alert(1)>'), 'boat.png'),
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('value="2027-02-30"')
    expect(answer.text.match(/aria-invalid="true"/g)).toHaveLength(5)
    expect(answer.text).toContain('not a PNG, JPEG or WebP')
  })

  it('refuses too much, too many and the unknown', async () => {
    const somebody = await signedIn(2)
    const before = site.store.board.list().length
    const big = Buffer.concat([ONE_PIXEL_PNG, Buffer.alloc(10 * 1024 * 1024)])
    const tooBig = await somebody.send('/notices/new', { ...NOTICE, picture: file(big) })
    expect(tooBig.status).toBe(422)
    expect(tooBig.text).toContain('larger than 10 MB')
    expect((await somebody.send('/notices/new', { ...NOTICE, body: 'x'.repeat(4001) })).status).toBe(422)
    expect((await somebody.send('/notices/new', { ...NOTICE, body: 'x'.repeat(40_000) })).status).toBe(413)
    expect((await somebody.send('/notices/new', { ...NOTICE, extra: '1' })).status).toBe(400)
    expect((await somebody.send('/notices/new', { ...NOTICE, other: file(ONE_PIXEL_PNG) })).status).toBe(400)
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, '1']))
    expect((await somebody.send('/notices/new', many)).status).toBe(413)
    const json = { method: 'POST', headers: { 'content-type': 'application/xml' }, body: '<a/>' }
    expect((await somebody.request('/notices/new', json)).status).toBe(415)
    const cut = {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nConte',
    }
    expect((await somebody.request('/notices/new', cut)).status).toBe(400)
    expect(site.store.board.list()).toHaveLength(before)
  })
})

describe('the JSON calls', () => {
  const send = async (body: unknown, token = account(6).token, path = '/api/notices'): Promise<Response> =>
    await fetch(site.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  it('post with a token and read back', async () => {
    const posted = await send({ ...NOTICE, title: 'By program' })
    expect(posted.status).toBe(201)
    const notice: unknown = await posted.json()
    expect(notice).toMatchObject({ title: 'By program', account: 'harbour06', seeded: false })
    const listed = JSON.parse((await visitor().get('/api/notices?q=by%20program&size=1')).text)
    expect(listed).toMatchObject({ total: 1, notices: [notice] })
  })

  it('refuse what is wrong', async () => {
    expect((await send(NOTICE, 'wrong')).status).toBe(401)
    expect((await send('{"title":')).status).toBe(400)
    expect((await send({ ...NOTICE, number: 5 })).status).toBe(422)
    expect((await send({ ...NOTICE, title: 7 })).status).toBe(422)
    expect((await send('null')).status).toBe(422)
    expect((await send({ ...NOTICE, body: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await visitor().get('/api/notices?size=1000')).status).toBe(422)
    expect((await visitor().get('/api/notices?colour=red')).status).toBe(422)
    expect((await visitor().get('/api/notices/999999')).status).toBe(404)
    expect((await visitor().get('/api/nothing')).text).toContain('"not_found"')
  })

  it('export a CSV that opens as text', async () => {
    await send({ ...NOTICE, title: '=HYPERLINK("x")' })
    const { text, headers } = await visitor().get('/files/report.csv')
    expect(headers.get('content-disposition')).toBe('attachment; filename="report.csv"')
    expect(text).toContain(`"'=HYPERLINK(""x"")"`)
    expect(text.trimEnd().split('\r\n')).toHaveLength(site.store.board.list().length + 1)
  })
})

describe('faults', () => {
  it('come by a word in the address, for that request', async () => {
    const started = performance.now()
    expect((await visitor().get('/notices?slow=300')).status).toBe(200)
    expect(performance.now() - started).toBeGreaterThan(290)
    expect((await visitor().get('/ar/notices?fail=503')).status).toBe(503)
    expect((await visitor().get('/notices?maintenance=1')).headers.get('retry-after')).toBe('120')
    expect((await visitor().get('/notices')).status).toBe(200)
    await expect(visitor().get('/notices?drop=1')).rejects.toThrow('fetch failed')
    for (const bad of ['slow=-1', 'slow=99999999', 'fail=200', 'drop=maybe']) {
      expect((await visitor().get(`/notices?${bad}`)).status).toBe(400)
    }
  })

  it('come for one account while others are well', async () => {
    await site.store.switches.set('harbour07', { slowMs: 2000 })
    const timed = async (number: number): Promise<number> => {
      const started = performance.now()
      await signedIn(number)
      return performance.now() - started
    }
    const [slow, quick] = await Promise.all([timed(7), timed(8)])
    expect(slow).toBeGreaterThan(1990)
    expect(quick).toBeLessThan(1900)
  })

  it('can lose the answer of a notice that was saved', async () => {
    const somebody = await signedIn(9)
    await site.store.switches.set('harbour09', { loseAnswerEvery: 1 })
    await expect(somebody.send('/notices/new', { ...NOTICE, title: 'Lost answer' })).rejects.toThrow(
      'fetch failed',
    )
    expect(site.store.board.list({ title: 'Lost answer' })).toHaveLength(1)
  })

  it('can drop or fail before anything is saved, and let the second attempt through', async () => {
    const somebody = await signedIn(9)
    await site.store.switches.set('harbour09', { dropEvery: 1, applies: 'writes' })
    await expect(somebody.send('/notices/new', { ...NOTICE, title: 'Dropped' })).rejects.toThrow(
      'fetch failed',
    )
    await site.store.switches.set('harbour09', { failFirst: 1, failStatus: 502, applies: 'writes' })
    expect((await somebody.send('/notices/new', { ...NOTICE, title: 'Dropped' })).status).toBe(502)
    expect((await somebody.send('/notices/new', { ...NOTICE, title: 'Dropped' })).status).toBe(303)
    expect(site.store.board.list({ title: 'Dropped' })).toHaveLength(1)
  })

  it('can end sessions, refuse sign-in, tell a wrong number and rename the form', async () => {
    const somebody = await signedIn(10)
    const posted = await somebody.send('/notices/new', { ...NOTICE, title: 'Wrong number' })
    const number = site.store.board.list({ title: 'Wrong number' })[0]?.number ?? 0
    await site.store.switches.set('harbour10', { wrongNumber: true, renamed: true })
    const told = (await somebody.get(posted.location ?? '')).text
    expect(/data-testid="notice-number-v2"[^>]*>([^<]+)</.exec(told)?.[1]?.trim()).toBe(
      formatNumber(number + 1),
    )
    expect((await somebody.get('/notices/new')).text).toContain('id="title-v2"')
    expect((await somebody.get('/profile?expired=1')).location).toContain('why=ended')
    await site.store.switches.set('harbour10', { sessionSeconds: 1, refuseSignIn: true })
    await new Promise((done) => setTimeout(done, 1100))
    expect((await somebody.get('/profile')).location).toContain('why=ended')
    expect((await visitor().signIn(account(10))).status).toBe(403)
    expect((await visitor().signIn(account(11))).status).toBe(303)
  })

  it('are set by a form, by a cookie and by a call', async () => {
    const somebody = visitor()
    const numbers = {
      slowMs: '0',
      failStatus: '500',
      failPercent: '0',
      failEvery: '0',
      failFirst: '0',
      dropEvery: '0',
    }
    const form = {
      ...numbers,
      scope: 'harbour11',
      loseAnswerEvery: '0',
      sessionSeconds: '0',
      applies: 'every',
    }
    expect((await somebody.send('/switches', { ...form, maintenance: 'on' })).status).toBe(303)
    expect(site.store.switches.get('harbour11').maintenance).toBe(true)
    expect((await somebody.send('/switches', { ...form, slowMs: '-5' })).status).toBe(422)
    expect((await somebody.send('/switches', { ...form, scope: 'harbour99' })).status).toBe(422)
    expect((await somebody.send('/switches', { words: 'fail=500' }, '/switches/browser')).status).toBe(303)
    expect((await somebody.get('/notices')).status).toBe(500)
    expect((await somebody.send('/switches', { words: '' }, '/switches/browser')).status).toBe(303)
    expect((await somebody.get('/notices')).status).toBe(200)
    const call = async (method: string, scope: string, body?: unknown): Promise<number> => {
      const headers = { 'content-type': 'application/json' }
      const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
      return (await fetch(`${site.url}/api/switches${scope}`, init)).status
    }
    expect(await call('PUT', '/all', { failEvery: 1 })).toBe(200)
    expect((await visitor().get('/notices')).status).toBe(500)
    expect((await visitor().get('/api/notices/count')).status).toBe(200)
    expect(await call('PUT', '/harbour99', {})).toBe(404)
    expect(await call('PUT', '/all', { failEvery: 'x' })).toBe(422)
    expect(await call('DELETE', '')).toBe(200)
    expect((await visitor().get('/notices')).status).toBe(200)
  })
})
