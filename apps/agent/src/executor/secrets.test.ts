import { describe, expect, it, vi } from 'vitest'
import { Channel, RequestFailed } from './channel.ts'
import { Masker } from './mask.ts'
import type { ExecutorRequest } from './protocol.ts'
import { Secrets, totp } from './secrets.ts'

describe('one-time codes', () => {
  // The seed and the moments of the examples in RFC 6238; sites use their last six digits.
  const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('at second %i', (second, code) => {
    expect(totp(seed, second * 1000)).toBe(code)
  })

  it('takes seeds as people copy them, and refuses what is none', () => {
    expect(totp('gezd gnbv gy3t qojq-GEZDGNBVGY3TQOJQ==', 59_000)).toBe('287082')
    expect(() => totp('not base32!', 0)).toThrow('base32')
  })
})

describe('a secret of the project', () => {
  const secretsWith = (answer: (request: ExecutorRequest) => Promise<unknown>) => {
    const masker = new Masker()
    const channel = new Channel()
    vi.spyOn(channel, 'request').mockImplementation(answer)
    return { masker, secrets: new Secrets(channel, masker) }
  }

  it('is asked for once, by its name, and hidden from then on', async () => {
    const asked: ExecutorRequest[] = []
    const { masker, secrets } = secretsWith(async (request) => {
      asked.push(request)
      return 'tide table 4711'
    })
    expect(await secrets.ofProject('API_KEY')).toBe('tide table 4711')
    expect(await secrets.ofProject('API_KEY')).toBe('tide table 4711')
    expect(asked).toEqual([{ kind: 'secret', handle: 'project.API_KEY' }])
    expect(masker.text('with tide table 4711, and tide%20table%204711')).not.toMatch(/4711/)
  })

  it('that is not there fails the step in words; another failure stays what it is', async () => {
    const missing = secretsWith(() => Promise.reject(new RequestFailed('record.not_found', 'none')))
    await expect(missing.secrets.ofProject('NONE')).rejects.toMatchObject({
      class: 'ResourceMissing',
      params: { secret: 'NONE' },
    })
    const cut = secretsWith(() => Promise.reject(new RequestFailed('agent.failed', 'no line')))
    await expect(cut.secrets.ofProject('KEY')).rejects.toMatchObject({ code: 'agent.failed' })
  })
})
