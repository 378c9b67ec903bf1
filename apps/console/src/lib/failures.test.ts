import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { call as callWith, type Transport } from '@weft/contract/core/client'
import { defineApi } from '@weft/contract/core/endpoint'
import { consequenceOf, isFailure } from './failure.ts'
import { errorText } from './i18n/names.ts'
import { currentLanguage, languageOf } from './i18n/languages.ts'
import { addTexts } from './i18n/lookup.ts'
import errors from './i18n/errors/en.json'
import app from '../app/i18n/en.json'
import kit from '../kit/i18n/en.json'
import { failureParams, toast, toasts } from '../kit/toast/toast.ts'

const { save } = defineApi('things', {
  save: {
    method: 'POST',
    path: '/things/save',
    access: 'signedIn',
    summary: 'Keep a thing',
    input: z.strictObject({ name: z.string() }),
    data: z.object({ name: z.string() }),
  },
})

beforeEach(() => {
  addTexts('en', 'errors', errors)
  addTexts('en', 'app', app)
  addTexts('en', 'kit', kit)
  currentLanguage.set(languageOf('en'))
  toasts.set([])
})
afterEach(() => {
  vi.useRealTimers()
})

/** A server that gives one answer. */
function answering(respond: () => Promise<Response>, more: Partial<Transport> = {}): Transport {
  return {
    baseUrl: '',
    fetch: () => respond(),
    onSuccess: ({ message }) => {
      if (message) toast.fromServer(message)
    },
    ...more,
  }
}
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Promise.resolve(new Response(JSON.stringify(body), { status, headers }))
const refusal = (code: string, more: object = {}) => ({
  status: 'Error',
  code,
  message: 'In English',
  ...more,
})
const shown = () => toasts.get().map(({ type, message }) => [type, message])

describe('an answer', () => {
  test.each([
    [
      'with a message',
      { status: 'Success', data: { name: 'a' }, message: 'Insert data successfully' },
      [['success', 'Insert data successfully']],
    ],
    [
      'with success in another case',
      { status: 'SUCCESS', data: { name: 'a' }, message: 'Moved' },
      [['success', 'Moved']],
    ],
    ['without a message', { status: 'Success', data: { name: 'a' } }, []],
  ])('%s', async (_, body, said) => {
    expect(await callWith(answering(json(200, body)), save, { name: 'a' })).toEqual({ name: 'a' })
    expect(shown()).toEqual(said)
  })

  test('of 200 that says it is none is a failure', async () => {
    const error: unknown = await callWith(answering(json(200, refusal('system.failed'))), save, {
      name: 'a',
    }).catch((e: unknown) => e)
    toast.failure(error)
    expect(shown()).toEqual([['error', 'Something went wrong on the server.']])
  })
})

/** What each failure says, and what follows for the session, a page's own record, a part of a page, and an action. */
const FAILURES = [
  {
    status: 401,
    body: refusal('auth.ended'),
    says: undefined,
    leads: ['signIn', 'signIn', 'signIn', 'signIn'],
  },
  {
    status: 403,
    body: refusal('access.denied'),
    says: 'You are not allowed to do this.',
    leads: ['forbidden', 'forbidden', 'inPlace', 'toast'],
  },
  {
    status: 404,
    body: refusal('record.not_found'),
    says: 'Cannot found item',
    leads: ['endSession', 'inPlace', 'inPlace', 'toast'],
  },
  {
    status: 409,
    body: refusal('record.stale'),
    says: 'Somebody changed this in the meantime.',
    leads: ['endSession', 'inPlace', 'inPlace', 'toast'],
  },
  {
    status: 422,
    body: refusal('request.invalid'),
    says: 'Data invalid',
    leads: ['endSession', 'inPlace', 'inPlace', 'toast'],
  },
  {
    status: 429,
    body: refusal('request.too_many'),
    retryAfter: '7',
    says: 'Too many requests; try again in 7 s.',
    leads: ['endSession', 'inPlace', 'inPlace', 'toast'],
  },
  {
    status: 500,
    body: refusal('system.failed'),
    says: 'Something went wrong on the server.',
    leads: ['endSession', 'inPlace', 'inPlace', 'toast'],
  },
  {
    status: 500,
    body: '<html>',
    says: 'Something went wrong on the server.',
    leads: ['endSession', 'inPlace', 'inPlace', 'toast'],
  },
  {
    status: 503,
    body: refusal('system.database_unavailable'),
    says: 'The database cannot be reached for the moment.',
    leads: ['endSession', 'inPlace', 'inPlace', 'toast'],
  },
  {
    status: 504,
    body: refusal('request.timeout'),
    says: 'The server did not answer in time.',
    leads: ['endSession', 'inPlace', 'inPlace', 'toast'],
  },
  {
    status: 418,
    body: refusal('never.heard_of'),
    says: 'In English',
    leads: ['endSession', 'inPlace', 'inPlace', 'toast'],
  },
] as const

describe('a failure', () => {
  test.each(FAILURES)(
    '$status says its own and leads where it should',
    async ({ status, body, says, leads, ...more }) => {
      const headers = 'retryAfter' in more ? { 'retry-after': more.retryAfter } : undefined
      const error: unknown = await callWith(answering(json(status, body, headers)), save, {
        name: 'typed',
      }).catch((e: unknown) => e)
      if (!isFailure(error)) throw new Error('it was expected to fail')
      expect(error.httpStatus).toBe(status)
      toast.failure(error)
      expect(shown()).toEqual(says === undefined ? [] : [['error', says]])
      const places = ['session', 'page', 'part', 'action'] as const
      expect(places.map((place) => consequenceOf(error.httpStatus, place))).toEqual(leads)
    },
  )

  test('without any network says so', async () => {
    const transport = answering(() => Promise.reject(new TypeError('Failed to fetch')))
    toast.failure(await callWith(transport, save, { name: 'a' }).catch((e: unknown) => e))
    expect(shown()).toEqual([['error', 'The server cannot be reached. Check the connection and try again.']])
  })

  test('an answer of what stands before a server that is away says so too', async () => {
    const transport = answering(() => Promise.resolve(new Response('Bad Gateway', { status: 502 })))
    toast.failure(await callWith(transport, save, { name: 'a' }).catch((e: unknown) => e))
    expect(shown()).toEqual([['error', 'The server cannot be reached. Check the connection and try again.']])
  })

  test('a call that hangs stops after 30 s with the text of 504', async () => {
    const limits: number[] = []
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms)
      return AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    })
    const transport = answering(() => Promise.reject(new DOMException('late', 'TimeoutError')))
    const error: unknown = await callWith(transport, save, { name: 'a' }).catch((e: unknown) => e)
    timeout.mockRestore()
    expect(limits).toEqual([30_000])
    if (!isFailure(error)) throw new Error('it was expected to fail')
    expect([error.httpStatus, errorText(error.body.code, failureParams(undefined, undefined))]).toEqual([
      504,
      'The server did not answer in time.',
    ])
  })
})

test('401 is mended once by a new token, and by no more than once', async () => {
  let tries = 0
  const mend = vi.fn(() => Promise.resolve('retry' as const))
  const transport = answering(
    () => {
      tries += 1
      return json(401, refusal('auth.ended'))()
    },
    { onError: mend },
  )
  await expect(callWith(transport, save, { name: 'a' })).rejects.toThrow('In English')
  expect([tries, mend.mock.calls.length]).toEqual([2, 1])
})
