import { afterEach, expect, test, vi } from 'vitest'
import { CallFailure } from '../../lib/failure.ts'
import { mendByProof, proving } from '../proof/proof.ts'
import { eachOf } from './one-by-one.ts'

const refusal = (status: number, code: string) =>
  new CallFailure(status, { status: 'Error', code, message: code })
const IDS = ['a', 'b', 'c']

afterEach(() => proving.get()?.answer(false))

test('one that refuses is counted and the others go on', async () => {
  const run = vi.fn((id: string) =>
    id === 'b' ? Promise.reject(refusal(409, 'conflict')) : Promise.resolve(),
  )
  expect(await eachOf(IDS, run)).toEqual({ done: 2, refused: ['b'] })
  expect(run).toHaveBeenCalledTimes(3)
})

test('who would rather not show who they are is asked once, not for each record', async () => {
  const asked = vi.fn()
  const stop = proving.subscribe(() => {
    if (!proving.get()) return
    asked()
    proving.get()?.answer(false)
  })
  const run = vi.fn(() => mendByProof(() => Promise.reject(refusal(403, 'auth.confirm_required'))))
  await expect(eachOf(IDS, run)).rejects.toThrow('auth.confirm_required')
  expect(asked).toHaveBeenCalledTimes(1)
  expect(run).toHaveBeenCalledTimes(1)
  stop()
})

test('what was done before a proof was refused is told, and so is how much was not', async () => {
  const run = vi.fn((id: string) =>
    id === 'a' ? Promise.resolve() : Promise.reject(refusal(403, 'auth.confirm_required')),
  )
  expect(await eachOf(IDS, run)).toEqual({ done: 1, refused: ['b', 'c'] })
  expect(run).toHaveBeenCalledTimes(2)
})
