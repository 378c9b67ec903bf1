import { afterEach, expect, test, vi } from 'vitest'
import { CallFailure } from '../../lib/failure.ts'
import { mendByProof, proving, withProof } from './proof.ts'

const refusal = (code: string) => new CallFailure(403, { status: 'Error', code, message: code })

afterEach(() => proving.get()?.answer(false))

test('work that wants a proof is done again once the person has given it', async () => {
  const work = vi.fn().mockRejectedValueOnce(refusal('auth.confirm_required')).mockResolvedValue('done')
  const result = withProof(work)
  await vi.waitFor(() => expect(proving.get()).not.toBeNull())
  proving.get()?.answer(true)
  expect(await result).toBe('done')
  expect(work).toHaveBeenCalledTimes(2)
  expect(proving.get()).toBeNull()
})

test('who would rather not is asked once, also where the work is a call that asks by itself', async () => {
  const work = vi.fn().mockRejectedValue(refusal('auth.confirm_required'))
  const result = withProof(() => mendByProof(work))
  const outcome = expect(result).rejects.toThrow('auth.confirm_required')
  await vi.waitFor(() => expect(proving.get()).not.toBeNull())
  proving.get()?.answer(false)
  await outcome
  expect(work).toHaveBeenCalledTimes(1)
  expect(proving.get()).toBeNull()
})

test('two calls at once share one question; other refusals are none', async () => {
  const work = (answer: string) =>
    vi.fn().mockRejectedValueOnce(refusal('auth.confirm_required')).mockResolvedValue(answer)
  const both = Promise.all([mendByProof(work('a')), mendByProof(work('b'))])
  await vi.waitFor(() => expect(proving.get()).not.toBeNull())
  proving.get()?.answer(true)
  expect(await both).toEqual(['a', 'b'])
  await expect(withProof(() => Promise.reject(refusal('access.denied')))).rejects.toThrow('access.denied')
  expect(proving.get()).toBeNull()
})
