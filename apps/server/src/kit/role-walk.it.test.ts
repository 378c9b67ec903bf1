import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { locate } from '@weft/contract/core/client'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { BUILT_IN_ROLES, type Rule } from '@weft/contract/core/permissions'
import { accessToken, appUser } from '../features/access/table.ts'
import { hashToken } from '../features/access/tokens.ts'
import type { TestPerson } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** What is expected of a call, before anybody looks at what it says. */
type Expected = 'auth.required' | 'auth.ended' | 'access.denied' | 'let in'

interface Visitor {
  name: string
  token: string | undefined
  expect: (endpoint: Endpoint) => Expected
}

/** Whether built-in rules allow a call at all; written without the server's own deciding. */
function allows(rules: readonly Rule[], action: string, subject: string): boolean {
  return rules.some(
    (rule) =>
      [rule.action].flat().some((one) => one === action) &&
      (rule.subject === 'all' || [rule.subject].flat().some((one) => one === subject)),
  )
}

const byRole =
  (role: keyof typeof BUILT_IN_ROLES) =>
  (endpoint: Endpoint): Expected => {
    if (typeof endpoint.access !== 'object') return 'let in'
    return allows(BUILT_IN_ROLES[role], endpoint.access.action, endpoint.access.subject)
      ? 'let in'
      : 'access.denied'
  }
const nobody =
  (code: 'auth.required' | 'auth.ended') =>
  (endpoint: Endpoint): Expected =>
    endpoint.access === 'public' ? 'let in' : code

/** Asks with a field that no call has: whoever is let in is told so, and nothing is done. */
async function answerOf(endpoint: Endpoint, token: string | undefined): Promise<string> {
  const { url, body } = locate(endpoint, idOf(endpoint))
  const stray = `stray${randomUUID().slice(0, 8)}`
  const isGet = endpoint.method === 'GET'
  const raw = endpoint.rawBody !== undefined
  const address = new URL(server.url + url)
  if (isGet || raw) address.searchParams.set(stray, 'x')
  const response = await fetch(address, {
    method: endpoint.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(isGet ? {} : { 'content-type': raw ? 'application/octet-stream' : 'application/json' }),
    },
    ...(isGet ? {} : { body: raw ? 'x' : JSON.stringify({ ...body, [stray]: 'x' }) }),
  })
  const text = await response.text()
  const code = /"code":"([\w.]+)"/.exec(text)?.[1] ?? String(response.status)
  return response.status === 401 || response.status === 403 ? code : 'let in'
}

/** Ids of the address: of nothing, for nobody comes so far. */
function idOf(endpoint: Endpoint): Record<string, string> {
  return Object.fromEntries(
    [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, randomUUID()]),
  )
}

async function visitors(): Promise<Visitor[]> {
  const person = (name: string, who: TestPerson, expected: Visitor['expect']): Visitor => ({
    name,
    token: who.token,
    expect: expected,
  })
  const operator = await server.as('operator')
  const below = await server.as('administrator', 'below-the-operator')
  await server.deps.db.update(appUser).set({ parentId: operator.id }).where(eq(appUser.id, below.id))
  const disabled = await server.as('administrator', 'disabled')
  await server.deps.db.update(appUser).set({ status: 'suspended' }).where(eq(appUser.id, disabled.id))
  const late = await server.as('administrator', 'late')
  await server.deps.db
    .update(accessToken)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(accessToken.hash, hashToken(late.token)))
  return [
    { name: 'anonymous', token: undefined, expect: nobody('auth.required') },
    person('viewer', await server.as('viewer'), byRole('viewer')),
    person('operator', operator, byRole('operator')),
    person('an operator’s sub-user with more roles', below, byRole('operator')),
    person('administrator', await server.as('administrator'), byRole('administrator')),
    person('disabled', disabled, nobody('auth.ended')),
    person('expired token', late, nobody('auth.ended')),
  ]
}

describe('every call, by everybody', () => {
  it('lets in whom the rules let in, and nobody else', async () => {
    const wrong: string[] = []
    let walked = 0
    const calls = server.app.endpoints.filter(
      ({ access }) => access !== 'agent' && access !== 'refreshCookie',
    )
    for (const visitor of await visitors())
      for (const endpoint of calls) {
        const expected = visitor.expect(endpoint)
        const found = await answerOf(endpoint, visitor.token)
        walked += 1
        if (found !== expected)
          wrong.push(`${visitor.name}: ${endpoint.name}: ${found} instead of ${expected}`)
      }
    expect(wrong).toEqual([])
    expect(walked).toBeGreaterThan(1000)
    // Thousands of calls, one after another.
  }, 120_000)
})
