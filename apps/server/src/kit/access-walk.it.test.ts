import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { locate } from '@weft/contract/core/client'
import { ACTIONS, SUBJECTS, type Rule } from '@weft/contract/core/permissions'
import { startTestServer, type TestServer } from '../testing/server.ts'
import type { TestPerson } from '../testing/people.ts'
import { sampleOf } from '../testing/sample.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Sends what the contract accepts, as `token`'s holder; gives status and code. */
async function send(endpoint: Endpoint, token: string | undefined, input: Record<string, unknown>) {
  const { url, body } = locate(endpoint, input)
  const sendsJson = endpoint.method !== 'GET' && !endpoint.rawBody
  const response = await fetch(server.url + url, {
    method: endpoint.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(sendsJson ? { 'content-type': 'application/json' } : {}),
      ...(endpoint.rawBody ? { 'content-type': 'application/octet-stream' } : {}),
    },
    ...(sendsJson ? { body: JSON.stringify(body) } : endpoint.rawBody ? { body: 'x' } : {}),
  })
  const text = await response.text()
  const code = /"code":"([\w.]+)"/.exec(text)?.[1] ?? ''
  return { call: endpoint.name, status: response.status, code }
}

const inputOf = (endpoint: Endpoint): Record<string, unknown> =>
  endpoint.input ? sampleOf(endpoint.input satisfies z.ZodObject) : {}

/** All rules but those for one action on one subject. */
function allBut(action: string, subject: string): Rule[] {
  return [
    { action: [...ACTIONS], subject: 'all' },
    {
      action: ACTIONS.filter((one) => one === action),
      subject: SUBJECTS.filter((one) => one === subject),
      inverted: true,
    },
  ]
}

describe('every call', () => {
  it('is mounted once, and says who may make it', () => {
    const names = server.app.endpoints.map((endpoint) => endpoint.name)
    expect(names.length).toBeGreaterThan(30)
    expect(new Set(names).size).toBe(names.length)
    const addresses = server.app.endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  it('of the contract is mounted, and no other', async () => {
    const src = join(import.meta.dirname, '../../../../packages/contract/src')
    const folders = (await readdir(src, { withFileTypes: true })).filter((entry) => entry.isDirectory())
    const named = z.looseObject({ name: z.string(), method: z.string(), path: z.string() })
    const names: string[] = []
    for (const folder of folders) {
      const files = (await readdir(join(src, folder.name))).filter((name) => /(?:^|-)api\.ts$/.test(name))
      for (const file of files) {
        const module: unknown = await import(join(src, folder.name, file))
        for (const api of Object.values(Object(module)))
          for (const endpoint of Object.values(Object(api)))
            if (named.safeParse(endpoint).success) names.push(named.parse(endpoint).name)
      }
    }
    expect(server.app.endpoints.map(({ name }) => name).sort()).toEqual(names.sort())
  })

  it('that is not public refuses the anonymous and wrong tokens', async () => {
    const closed = server.app.endpoints.filter(
      ({ access }) => access !== 'public' && access !== 'refreshCookie',
    )
    for (const endpoint of closed) {
      const input = inputOf(endpoint)
      expect(await send(endpoint, undefined, input)).toMatchObject({
        call: endpoint.name,
        status: 401,
        code: 'auth.required',
      })
      expect((await send(endpoint, 'nonsense', input)).status).toBe(401)
    }
  })

  it('by the refresh cookie refuses who does not show the header too', async () => {
    for (const endpoint of server.app.endpoints.filter(({ access }) => access === 'refreshCookie'))
      expect(await send(endpoint, undefined, {})).toMatchObject({ status: 403, code: 'auth.csrf' })
  })

  it('by agents refuses people, also administrators', async () => {
    const admin = await server.as('administrator')
    for (const endpoint of server.app.endpoints.filter(({ access }) => access === 'agent'))
      expect(await send(endpoint, admin.token, inputOf(endpoint))).toMatchObject({
        call: endpoint.name,
        status: 401,
      })
  })

  it('that asks for an ability refuses everybody who has all but that one', async () => {
    const people = new Map<string, TestPerson>()
    for (const endpoint of server.app.endpoints) {
      if (typeof endpoint.access !== 'object') continue
      const { action, subject } = endpoint.access
      const name = `not-${action}-${subject}`
      const person = people.get(name) ?? (await server.withRules(name, allBut(action, subject)))
      people.set(name, person)
      expect(await send(endpoint, person.token, inputOf(endpoint))).toEqual({
        call: endpoint.name,
        status: 403,
        code: 'access.denied',
      })
    }
  })

  it('takes an unknown field for a mistake', async () => {
    const admin = await server.as('administrator')
    for (const endpoint of server.app.endpoints) {
      if (endpoint.access === 'agent' || endpoint.access === 'refreshCookie') continue
      const name = `unknown${randomUUID().slice(0, 8)}`
      expect(await send(endpoint, admin.token, { ...inputOf(endpoint), [name]: 'x' })).toEqual({
        call: endpoint.name,
        status: 422,
        code: 'request.invalid',
      })
    }
  })

  it('about a record that is not there is answered with 404', async () => {
    const admin = await server.as('administrator')
    const wrong = []
    for (const endpoint of server.app.endpoints.filter(isAboutOne)) {
      const answer = await send(endpoint, admin.token, { ...inputOf(endpoint), id: randomUUID() })
      if (answer.status !== 404) wrong.push(answer)
    }
    expect(wrong).toEqual([])
  })
})

function isAboutOne({ path, access }: Endpoint): boolean {
  return path.includes('{id}') && access !== 'public' && access !== 'agent'
}
