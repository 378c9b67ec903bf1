import { expect, test, vi } from 'vitest'
import { codeWithoutBody } from '@weft/contract/core/away'
import { consequenceOf, isAway } from './failure.ts'
import { retryDelay, worthRetrying } from './query.ts'
import { CallFailure } from './failure.ts'
import { plainCall } from './plain-call.ts'

const failure = (status: number) => new CallFailure(status, { status: 'Error', code: 'x', message: 'x' })

test('401 comes first, then 403, then the rest', () => {
  for (const place of ['session', 'page', 'part', 'action'] as const)
    expect(consequenceOf(401, place)).toBe('signIn')
  expect(consequenceOf(403, 'page')).toBe('forbidden')
  expect(consequenceOf(403, 'part')).toBe('inPlace')
  expect(consequenceOf(403, 'action')).toBe('toast')
})

test('what stands before a server that is away says the same as no answer', async () => {
  expect([0, 502, 503, 504].map(codeWithoutBody)).toEqual(
    Array.from({ length: 4 }, () => 'network.unreachable'),
  )
  expect([200, 404, 500].map(codeWithoutBody)).toEqual(Array.from({ length: 3 }, () => 'system.failed'))
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('Bad Gateway', { status: 502 })))
  const plain: unknown = await plainCall('GET', '/x').catch((error: unknown) => error)
  vi.unstubAllGlobals()
  expect(isAway(plain)).toBe(true)
  expect([isAway(failure(0)), isAway(failure(503)), isAway(new TypeError('x'))]).toEqual([true, false, false])
})

test('only a failure of the session itself ends it', () => {
  expect(consequenceOf(500, 'session')).toBe('endSession')
  expect(consequenceOf(504, 'session')).toBe('endSession')
  for (const place of ['page', 'part'] as const) expect(consequenceOf(500, place)).toBe('inPlace')
  expect(consequenceOf(500, 'action')).toBe('toast')
})

test('a read is tried three times more, waiting longer each time, at most 30 s', () => {
  expect([0, 1, 2, 10].map(retryDelay)).toEqual([1000, 2000, 4000, 30_000])
  expect(worthRetrying(0, failure(503))).toBe(true)
  expect(worthRetrying(0, failure(0))).toBe(true)
  expect(worthRetrying(3, failure(503))).toBe(false)
  expect(worthRetrying(0, failure(404))).toBe(false)
  expect(worthRetrying(0, failure(403))).toBe(false)
})
