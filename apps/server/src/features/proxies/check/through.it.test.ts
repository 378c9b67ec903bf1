import { setDefaultCACertificates, getCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TEST_CERTIFICATE } from '../../../testing/certificate.ts'
import {
  PROXY_USER,
  checkAddress,
  httpProxy,
  silentServer,
  socksProxy,
  type Running,
} from '../../../testing/proxy-servers.ts'
import type { AddressRules } from './addresses.ts'
import { CheckFailed } from './failed.ts'
import { listOf } from './addresses.ts'
import { getThrough, type Way } from './through.ts'

const RULES = { open: listOf(['127.0.0.0/8']), ownPorts: new Set<number>() }
const trusted = getCACertificates('default')
const stack = new AsyncDisposableStack()
let plain: Running & { url: string }
let secure: Running & { url: string }

beforeAll(async () => {
  setDefaultCACertificates([...trusted, TEST_CERTIFICATE.cert])
  plain = stack.use(await checkAddress())
  secure = stack.use(await checkAddress({ https: true }))
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await stack.disposeAsync()
})

const way = (protocol: Way['protocol'], port: number, user?: Partial<Way>): Way => ({
  protocol,
  host: '127.0.0.1',
  port,
  username: null,
  password: null,
  ...user,
})
const reason = async (of: Way, url = plain.url, signal = new AbortController().signal) => {
  try {
    await getThrough(of, new URL(url), RULES, signal)
    return 'no failure'
  } catch (error) {
    return error instanceof CheckFailed ? error.reason : error
  }
}

describe.each(['http', 'https', 'socks5'] as const)('a %s proxy', (protocol) => {
  const start = (auth: boolean) =>
    protocol === 'socks5' ? socksProxy({ auth }) : httpProxy({ auth, https: protocol === 'https' })

  test('lets us through to http and https, with and without a user', async () => {
    await using open = await start(false)
    await using guarded = await start(true)
    for (const { url } of [plain, secure])
      for (const of of [way(protocol, open.port), way(protocol, guarded.port, PROXY_USER)]) {
        const answer = await getThrough(of, new URL(url), RULES, new AbortController().signal)
        expect(JSON.parse(answer.body)).toEqual({ ip: '81.2.69.142' })
        expect(answer.latencyMs).toBeGreaterThan(0)
      }
  })

  test('refuses a wrong password and none, and says so', async () => {
    await using guarded = await start(true)
    for (const { url } of [plain, secure])
      for (const user of [{}, { ...PROXY_USER, password: 'wrong' }])
        expect(await reason(way(protocol, guarded.port, user), url)).toBe('credentials')
  })

  test('that cannot reach the check address is told from one that cannot be reached', async () => {
    await using gone = await checkAddress()
    await gone.stop()
    const proxy = await start(false)
    expect(await reason(way(protocol, proxy.port), gone.url)).toBe('target_unreachable')
    await proxy.stop()
    expect(await reason(way(protocol, proxy.port))).toBe('unreachable')
  })
})

test('the plain check goes to an HTTP proxy whole, the secure one through a tunnel', async () => {
  const seen: string[] = []
  await using proxy = await httpProxy({ seen })
  await getThrough(way('http', proxy.port), new URL(plain.url), RULES, new AbortController().signal)
  await getThrough(way('http', proxy.port), new URL(secure.url), RULES, new AbortController().signal)
  expect(seen).toEqual(['http 127.0.0.1', 'connect localhost'])
})

test('what is no proxy, has a certificate of nobody, or an answer without end is refused', async () => {
  await using proxy = await httpProxy({ https: true })
  await using loud = await checkAddress({ body: () => 'x'.repeat(100_000) })
  await using open = await httpProxy()
  expect(await reason(way('socks5', open.port))).toBe('protocol')
  expect(await reason(way('https', open.port))).toBe('protocol')
  expect(await reason(way('http', open.port), loud.url)).toBe('bad_answer')
  setDefaultCACertificates(trusted)
  expect(await reason(way('https', proxy.port))).toBe('certificate')
  setDefaultCACertificates([...trusted, TEST_CERTIFICATE.cert])
})

test.each(['http', 'https', 'socks5'] as const)(
  'a stop ends a check by %s at once, with nothing held against the proxy and no error that nobody hears',
  async (protocol) => {
    await using silent = await silentServer()
    const stopping = new AbortController()
    const check = reason(way(protocol, silent.port), plain.url, stopping.signal)
    setTimeout(() => stopping.abort(new Error('stopping')), 50)
    expect(await check).toEqual(new Error('stopping'))
    await silent.stop()
  },
)

test('names and addresses that are not open are refused before anything is sent', async () => {
  const closed: AddressRules = { open: listOf([]), ownPorts: new Set<number>() }
  const open = { open: listOf(['127.0.0.0/8', '::1/128']), ownPorts: new Set([plain.port]) }
  const go = (of: Way, rules: AddressRules) =>
    getThrough(of, new URL(plain.url), rules, new AbortController().signal).catch((error: unknown) =>
      error instanceof CheckFailed ? error.reason : error,
    )
  for (const host of ['127.0.0.1', 'localhost', '::1', '10.1.2.3', '::ffff:127.0.0.1', '169.254.169.254'])
    expect(await go({ ...way('http', 9), host }, closed)).toBe('address_refused')
  expect(await go({ ...way('http', 9), host: '169.254.169.254' }, open)).toBe('address_refused')
  expect(await go(way('http', plain.port), open)).toBe('address_refused')
  expect(await go({ ...way('http', 9), host: 'no-such-host.invalid' }, open)).toBe('unknown_host')
})
