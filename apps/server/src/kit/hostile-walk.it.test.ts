import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { locate } from '@weft/contract/core/client'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { ERRORS } from '@weft/contract/errors'
import { sampleOf } from '../testing/sample.ts'
import type { TestPerson } from '../testing/people.ts'
import { system } from '@weft/contract/system/api'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { errorCodesOf } from './openapi-errors.ts'
import { RateLimit } from './rate.ts'

let server: TestServer
let admin: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  server.deps.rate = new RateLimit({ burst: 1e9, perSecond: 1e9 })
  admin = await server.as('administrator')
})
afterAll(() => server.stop())

const NUL = String.fromCharCode(0)
/** What somebody may send in the place of any field. None of it may ever be the server's failure. */
const HOSTILE: unknown[] = [
  `a${NUL}b`,
  String.fromCharCode(0xd8_00),
  '',
  ' ',
  'x'.repeat(8_000),
  '%_\\',
  "'; drop table app_user; --",
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '0000-01-01T00:00:00Z',
  '9'.repeat(40),
  -1,
  0,
  0.5,
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  1e308,
  true,
  null,
  [],
  {},
  [null],
  [[[]]],
  { a: { b: { c: NUL } } },
  { length: 1e9 },
]

async function send(endpoint: Endpoint, input: Record<string, unknown>) {
  const { url, body } = locate(endpoint, input)
  const sendsJson = endpoint.method !== 'GET' && !endpoint.rawBody
  const response = await fetch(server.url + url, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${admin.token}`,
      'content-type': sendsJson ? 'application/json' : 'application/octet-stream',
    },
    ...(sendsJson ? { body: JSON.stringify(body) } : endpoint.rawBody ? { body: 'x' } : {}),
  })
  return { status: response.status, text: await response.text() }
}

/** No address can be made with half a sign or with nothing in its path. */
function fits({ path }: Endpoint, field: string, value: unknown): boolean {
  return (
    !path.includes(`{${field}}`) || (value !== '' && String(value).isWellFormed() && !Array.isArray(value))
  )
}

/** What all lists read in the same way needs to be tried with one of them. */
const OF_EVERY_LIST = new Set(['page', 'perPage', 'sortDesc', 'isHardFetch'])
const isNew = ({ name }: Endpoint, field: string) => name === 'accounts.list' || !OF_EVERY_LIST.has(field)

const failed = z.object({ code: z.enum(Object.keys(ERRORS) as [keyof typeof ERRORS]) })

/** The calls that the administrator, or anybody, may make. */
const open = () =>
  server.app.endpoints.filter(({ access }) => access !== 'agent' && access !== 'refreshCookie')

describe('whatever stands in a field', () => {
  it('is never a failure of the server, and fails only as the description of the call says', async () => {
    const wrong: unknown[] = []
    let sent = 0
    for (const endpoint of open()) {
      // Signing in is slow on purpose; its body has a test of its own.
      if (endpoint.botAction === 'login' || endpoint.name === 'access.endSession') continue
      const codes = new Set<string>(errorCodesOf(endpoint))
      const sample = endpoint.input ? sampleOf(endpoint.input) : {}
      for (const field of Object.keys(endpoint.input?.shape ?? {}).filter((name) => isNew(endpoint, name)))
        await Promise.all(
          HOSTILE.filter((value) => fits(endpoint, field, value)).map(async (value) => {
            const { status, text } = await send(endpoint, { ...sample, [field]: value })
            sent += 1
            const code = status === 200 ? '' : failed.safeParse(JSON.parse(text)).data?.code
            if (
              status >= 500 ||
              code === 'request.too_many' ||
              (status !== 200 && (code === undefined || !codes.has(code)))
            )
              wrong.push([
                endpoint.name,
                field,
                JSON.stringify(value).slice(0, 60),
                status,
                text.slice(0, 200),
              ])
          }),
        )
      // A system that is closed would refuse the calls that come after.
      if (endpoint.name === 'system.beginMaintenance') await send(system.endMaintenance, {})
    }
    expect(wrong).toEqual([])
    expect(sent).toBeGreaterThan(5_000)
  }, 180_000)
})
