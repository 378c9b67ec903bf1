import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { agents } from '@weft/contract/agents/api'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { projects } from '@weft/contract/projects/api'
import { system } from '@weft/contract/system/api'
import { startTestServer, type TestServer } from '../testing/server.ts'
import type { TestPerson } from '../testing/people.ts'

let server: TestServer
let operator: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  operator = await server.as('operator')
})
afterAll(() => server.stop())

interface Answer {
  status: number
  code: string
  errors: string[]
}

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

async function send(path: string, init: Sent): Promise<Answer> {
  const response = await fetch(server.url + path, {
    ...init,
    headers: { authorization: `Bearer ${operator.token}`, ...init.headers },
  })
  const body = (await response.json()) as { code: string; errors?: { path: string; code: string }[] }
  return {
    status: response.status,
    code: body.code,
    errors: (body.errors ?? []).map(({ path: at, code }) => `${at}: ${code}`),
  }
}

const json = (text: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Sent => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: text,
})

/** One call of people, one that anybody may make, and one of agents that anybody may make. */
const CALLS: [string, Endpoint, Record<string, unknown>, string][] = [
  ['making a record', projects.create, { name: 'one' }, 'name'],
  ['signing in', access.login, { username: 'one', password: 'something' }, 'username'],
  ['joining', agents.challenge, { clientId: '00000000-0000-7000-8000-000000000000' }, 'clientId'],
]

const NUL = String.fromCharCode(0)
const HIGH = String.fromCharCode(0xd8_3d)
const LOW = String.fromCharCode(0xde_00)

describe.each(CALLS)('a bad body for %s', (_what, endpoint, good, field) => {
  const post = (init: Sent) => send(endpoint.path, { method: endpoint.method, ...init })
  const withField = (value: unknown) => json(JSON.stringify({ ...good, [field]: value }))

  it.each([
    ['a NUL', `a${NUL}b`],
    ['half a surrogate pair', `a${HIGH}`],
    ['the other half', `${LOW}b`],
    ['halves in the wrong order', LOW + HIGH],
  ])('with %s in its text names the field', async (_name, text) => {
    expect(await post(withField(text))).toEqual({
      status: 422,
      code: 'request.invalid',
      errors: [`${field}: format`],
    })
  })

  it('with such signs in a field’s name is refused', async () => {
    const answer = await post(json(JSON.stringify({ ...good, [`x${NUL}`]: 1, [HIGH]: 1 })))
    expect(answer).toMatchObject({ status: 422, code: 'request.invalid' })
    expect(answer.errors).toHaveLength(2)
  })

  it.each<[string, (text: string) => Sent, number, string]>([
    ['cut off', (text) => json(text.slice(0, -2)), 400, 'request.malformed'],
    ['that goes on after its end', (text) => json(`${text}{}`), 400, 'request.malformed'],
    ['that is a text', () => json('"text"'), 400, 'request.malformed'],
    ['that is a list', () => json('[{}]'), 400, 'request.malformed'],
    ['that is nothing', () => json('null'), 422, 'request.invalid'],
    ['without anything', () => json(''), 422, 'request.invalid'],
    [
      'nested without end',
      () => json(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      400,
      'request.malformed',
    ],
    ['with __proto__', () => json('{"__proto__":{"isAdmin":true}}'), 400, 'request.malformed'],
    ['with a prototype deep down', () => json('{"a":{"b":[{"prototype":{}}]}}'), 400, 'request.malformed'],
    ['with an unknown field', (text) => json(`{"more":1,${text.slice(1)}`), 422, 'request.invalid'],
    ['without a type', (text) => ({ body: new TextEncoder().encode(text) }), 415, 'request.unsupported_type'],
    [
      'of another type',
      (text) => ({ body: text, headers: { 'content-type': 'application/xml' } }),
      415,
      'request.unsupported_type',
    ],
    [
      'of a type that only begins alike',
      (text) => ({ body: text, headers: { 'content-type': 'application/jsonp' } }),
      415,
      'request.unsupported_type',
    ],
    [
      'in UTF-16 that says so',
      (text) => json(utf16(text), { 'content-type': 'application/json; charset=utf-16le' }),
      415,
      'request.unsupported_type',
    ],
    ['in UTF-16 that says nothing', (text) => json(utf16(text)), 400, 'request.malformed'],
    ['in Latin-1', (text) => json(latin1(text.replace('{', '{"ü":"é",'))), 400, 'request.malformed'],
    ['that is packed', (text) => json(text, { 'content-encoding': 'gzip' }), 415, 'request.unsupported_type'],
    ['of more than a megabyte', () => json(`{"a":"${'x'.repeat(1_100_000)}"}`), 413, 'request.too_large'],
  ])('%s is told so', async (_name, init, status, code) => {
    expect(await post(init(JSON.stringify(good)))).toMatchObject({ status, code })
  })

  it.each([1e308, -1, 2 ** 53, 0.5])('with the number %s for a text is refused', async (number) => {
    expect(await post(withField(number))).toMatchObject({ status: 422, errors: [`${field}: type`] })
  })

  it('in UTF-8 that says so is read, with its mark too', async () => {
    const text = JSON.stringify(good)
    const marked = new TextEncoder().encode(`\uFEFF${text}`)
    const answer = await fetch(server.url + endpoint.path, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${operator.token}`,
        'content-type': 'application/json; charset=UTF-8',
      },
      body: marked,
    })
    expect([200, 401]).toContain(answer.status)
  })
})

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

describe('bad input elsewhere', () => {
  it.each([
    ['a NUL in a query', 'q=a%00b', ['q: format']],
    ['a page that is no number', 'page=1e9', ['page: type']],
    ['a page beyond all numbers', `page=${'9'.repeat(40)}`, ['page: type']],
    ['a size of nothing', 'perPage=0', ['perPage: perPage']],
    ['the same field twice', 'page=1&page=2', ['page: type']],
    ['a prototype', '__proto__=1', ['__proto__: unknown']],
    ['a field of objects', 'constructor=1', ['constructor: unknown']],
  ])('%s is named', async (_what, query, errors) => {
    expect(await send(`${projects.list.path}?${query}`, {})).toEqual({
      status: 422,
      code: 'request.invalid',
      errors,
    })
  })

  it('of half a sign, of a path that is none, or far beyond the last page is no failure of the server', async () => {
    const about = (part: string) => send(projects.get.path.replace('{id}', part), {})
    expect(await about('%00')).toMatchObject({ status: 422, code: 'request.invalid' })
    expect(await about('%zz')).toMatchObject({ status: 400, code: 'request.malformed' })
    expect(await about('x'.repeat(5_000))).toMatchObject({ status: 400, code: 'request.malformed' })
    for (const query of ['q=%ED%A0%80', 'q=%FF%FE', 'q=%', 'page=999999999&perPage=1000']) {
      const answer = await fetch(`${server.url}${projects.list.path}?${query}`, {
        headers: { authorization: `Bearer ${operator.token}` },
      })
      expect([query, answer.status < 500]).toEqual([query, true])
    }
  })

  it('that breaks off is forgotten', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const head = [
      `POST ${projects.create.path} HTTP/1.1`,
      'Host: weft',
      `Authorization: Bearer ${operator.token}`,
      'Content-Type: application/json',
      'Content-Length: 500',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{"name":"half`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    const { data } = await operator.api(projects).list({ q: 'half' })
    expect(data).toEqual([])
  })
})

describe('those whom nobody knows', () => {
  it('may call so often from one address, however they try; others go on', async () => {
    const limited = await startTestServer({ addressRate: { burst: 5, perSecond: 0.001 } })
    try {
      const config = () => fetch(limited.url + system.config.path)
      const statuses = []
      for (let n = 0; n < 6; n += 1) statuses.push((await config()).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      const refused = await config()
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await refused.json()).toMatchObject({ code: 'request.too_many' })
      for (const path of [access.login.path, agents.challenge.path, access.refresh.path])
        expect((await fetch(limited.url + path, { method: 'POST', body: null })).status).toBe(429)
      const guess = await fetch(limited.url + projects.list.path, {
        headers: { authorization: 'Bearer a-guess' },
      })
      expect(guess.status).toBe(429)
      const person = await limited.as('viewer')
      await person.api(projects).list({})
      await person.api(system).config({})
    } finally {
      await limited.stop()
    }
  })
})
