import { describe, expect, it } from 'vitest'
import { DEFAULT_AGENT_PARAMS } from '@weft/contract/agents/sessions'
import { createApi } from '../connection/api.ts'
import { createLogger } from '../log.ts'
import { Leases, marginOf } from './leases.ts'

describe('leases', () => {
  const holding = () => {
    const lost: string[] = []
    const leases = new Leases({
      api: createApi({ serverUrl: 'http://127.0.0.1:1', token: () => undefined }),
      params: () => DEFAULT_AGENT_PARAMS,
      logger: createLogger('silent'),
      signal: new AbortController().signal,
      onLost: (runId, code) => lost.push(`${runId} ${code}`),
      onCancel: () => undefined,
    })
    return { leases, lost }
  }

  it('are over, for this agent, a margin before they are over for the server', () => {
    const { leases, lost } = holding()
    leases.hold({ runId: 'a', leaseToken: 't' }, 60, 1000)
    leases.check(1000 + 60_000 - marginOf(60) - 1)
    expect(lost).toEqual([])
    leases.check(1000 + 60_000 - marginOf(60) + 1)
    leases.check(1000 + 60_000)
    expect(lost).toEqual(['a unreachable'])
  })

  it('count from the moment that they were asked for, and are not missed once released', () => {
    const { leases, lost } = holding()
    leases.hold({ runId: 'a', leaseToken: 't' }, 10, 0)
    leases.hold({ runId: 'a', leaseToken: 't' }, 10, 5000)
    leases.check(9000)
    expect(lost).toEqual([])
    leases.release('a')
    leases.check(60_000)
    expect(lost).toEqual([])
  })
})
