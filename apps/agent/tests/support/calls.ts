import { createHash, createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import { agents } from '@weft/contract/agents/api'
import { decodeFrame } from '@weft/contract/attended-runs/frame'
import { sessionPayload, type AgentCommand } from '@weft/contract/agents/sessions'
import type { AgentRefusal } from '@weft/contract/agents/jobs'
import type { InputOf, OutputOf, ParsedInputOf } from '@weft/contract/core/endpoint'
import type { FakeRun, FakeState } from './state.ts'

/** A refusal with its status and code. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly params: Record<string, string | number>

  constructor(status: number, code: string, params: Record<string, string | number> = {}) {
    super(code)
    this.status = status
    this.code = code
    this.params = params
  }
}

type Calls = typeof agents
type Answer<K extends keyof Calls> = OutputOf<Calls[K]> extends Response ? Buffer : OutputOf<Calls[K]>
/** One function per call of the contract. */
export type FakeCalls = {
  [K in keyof Calls]: (input: ParsedInputOf<Calls[K]>, call: { clientId: string; body: Buffer }) => Answer<K>
}
export type { InputOf }

interface Holder {
  runId: string
  leaseToken: string
}

/** The agent calls as the contract describes them, over the fake state. */
export function fakeCalls(state: FakeState): FakeCalls {
  const held = ({ runId, leaseToken }: Holder): FakeRun | AgentRefusal => {
    const run = state.runs.get(runId)
    if (!run) return 'unknown'
    return run.leaseToken === leaseToken ? run : 'superseded'
  }
  const one = (holder: Holder): FakeRun => {
    const run = held(holder)
    if (typeof run === 'string') throw new Refused(404, 'agent.unknown_run')
    return run
  }
  const lease = (holder: Holder, act: (run: FakeRun) => AgentRefusal | null) => {
    const run = held(holder)
    const code = typeof run === 'string' ? run : act(run)
    if (code !== null || typeof run === 'string')
      return { ok: false as const, runId: holder.runId, code: code ?? 'unknown' }
    return {
      ok: true as const,
      runId: holder.runId,
      leaseSeconds: state.params.leaseSeconds,
      cancel: run.cancel,
    }
  }
  const extend = (run: FakeRun) => {
    run.leaseEndsAt = Date.now() + state.params.leaseSeconds * 1000
  }
  const store = (run: FakeRun, events: FakeRun['events']) => {
    for (const event of events) if (event.seq === run.events.length + 1) run.events.push(event)
  }

  return {
    register(input) {
      if (!state.joinCodes.delete(input.joinCode)) throw new Refused(403, 'agent.wrong_code')
      const clientId = randomUUID()
      const { publicKey, machineId } = input
      state.clients.set(clientId, {
        publicKey,
        machineId,
        nonce: '',
        instanceId: null,
        token: null,
        seenAt: 0,
      })
      return { clientId, clientKey: `wk_${clientId.slice(0, 8)}`, serverPublicKey: state.publicKey }
    },
    challenge({ clientId }) {
      const nonce = randomBytes(8).toString('hex')
      const client = state.clients.get(clientId)
      if (client) client.nonce = nonce
      return { nonce }
    },
    session(input) {
      const client = state.clients.get(input.clientId)
      if (!client) throw new Refused(401, 'agent.wrong_signature')
      if (state.revoked) throw new Refused(403, 'client.revoked')
      const key = createPublicKey({
        key: Buffer.from(client.publicKey, 'base64'),
        format: 'der',
        type: 'spki',
      })
      const good = verify(
        null,
        Buffer.from(sessionPayload(input)),
        key,
        Buffer.from(input.signature, 'base64'),
      )
      if (!good || client.nonce !== input.nonce) throw new Refused(401, 'agent.wrong_signature')
      const alive = client.token !== null && Date.now() - client.seenAt < state.params.lostSeconds * 1000
      const successor = input.previousInstanceId === client.instanceId && input.machineId === client.machineId
      if (alive && client.instanceId !== input.instanceId && !successor)
        throw new Refused(409, 'agent.session_conflict')
      client.token = randomBytes(12).toString('hex')
      client.instanceId = input.instanceId
      client.seenAt = Date.now()
      return {
        clientId: input.clientId,
        clientKey: 'wk_test',
        name: 'test',
        token: client.token,
        expiresInSeconds: 3600,
        protocol: 1,
        clockSkewSeconds: state.skewSeconds + Math.round((Date.parse(input.clock) - Date.now()) / 1000),
        admin: state.admin,
        slots: state.slots,
        params: state.params,
        updateOnly: state.updateOnly,
      }
    },
    heartbeat(input, { clientId }) {
      state.heartbeats.push(input)
      const client = state.clients.get(clientId)
      if (client) client.seenAt = Date.now()
      const commands: AgentCommand[] = [{ type: 'admin', admin: state.admin, slots: state.slots }]
      for (const run of state.runs.values()) {
        if (run.phase === 'finished') continue
        if (run.cancel) commands.push({ type: 'cancel', runId: run.job.runId, ...run.cancel })
        else if (run.phase === 'offered') commands.push(state.offerOf(run))
      }
      return { commands, token: null, expiresInSeconds: null }
    },
    claim({ claims }) {
      return {
        results: claims.map((holder) => {
          const run = held(holder)
          if (typeof run === 'string') return { ok: false as const, runId: holder.runId, code: run }
          if (run.phase === 'finished')
            return { ok: false as const, runId: holder.runId, code: 'superseded' as const }
          run.claims += 1
          if (run.phase === 'offered') run.phase = 'claimed'
          extend(run)
          const signed = { job: run.job, signature: state.sign(run.job) }
          return { ok: true as const, runId: holder.runId, leaseSeconds: state.params.leaseSeconds, signed }
        }),
      }
    },
    reject({ runs }) {
      return {
        results: runs.map((holder) =>
          lease(holder, (run) => {
            run.rejected = holder.reason
            run.phase = 'finished'
            return null
          }),
        ),
      }
    },
    start({ runs }) {
      return {
        results: runs.map((holder) =>
          lease(holder, (run) => {
            if (run.phase === 'finished') return 'superseded'
            if (run.cancel && run.phase === 'claimed') return 'cancelled'
            run.phase = 'running'
            run.starts += 1
            extend(run)
            return null
          }),
        ),
      }
    },
    renew({ runs }) {
      return {
        results: runs.map((holder) =>
          lease(holder, (run) => {
            if (run.phase === 'finished') return 'superseded'
            if (run.leaseEndsAt < Date.now()) return 'expired'
            run.renewals += 1
            extend(run)
            return null
          }),
        ),
      }
    },
    report({ runs }) {
      return {
        results: runs.map((entry) => {
          const run = held(entry)
          if (typeof run === 'string') return { runId: entry.runId, ack: 0, code: run }
          if (run.phase === 'finished') return { runId: entry.runId, ack: 0, code: 'superseded' as const }
          store(run, entry.events)
          return { runId: entry.runId, ack: run.events.length, code: 'ok' as const }
        }),
      }
    },
    finish({ runs }) {
      return {
        results: runs.map((entry) => {
          const run = held(entry)
          if (typeof run === 'string') return { runId: entry.runId, status: 'superseded' as const }
          run.finishes += 1
          if (run.phase === 'finished')
            return {
              runId: entry.runId,
              status: run.finish?.result === entry.result ? ('accepted' as const) : ('superseded' as const),
            }
          store(run, entry.events)
          if (run.events.length < entry.eventCount)
            return { runId: entry.runId, status: 'sendMore' as const, from: run.events.length + 1 }
          run.phase = 'finished'
          run.finish = entry
          return { runId: entry.runId, status: 'accepted' as const }
        }),
      }
    },
    log({ id, leaseToken, offset }, { body }) {
      const run = one({ runId: id, leaseToken })
      if (offset > run.log.length) throw new Refused(416, 'agent.range', { from: run.log.length })
      run.log = Buffer.concat([run.log, body.subarray(run.log.length - offset)])
      return { size: run.log.length }
    },
    frame({ id, leaseToken }, { body }) {
      const run = one({ runId: id, leaseToken })
      const frame = decodeFrame(body)
      if (!frame) throw new Refused(422, 'attended.bad_frame')
      run.frames.push(frame)
      return { taken: true, wanted: true }
    },
    secret({ runId, leaseToken, handle }) {
      const value = one({ runId, leaseToken }).secrets[handle]
      if (value === undefined) throw new Refused(404, 'record.not_found')
      return { value }
    },
    wait({ wait }) {
      return { end: wait.kind === 'time' ? { ending: 'due' as const, answers: {}, by: null } : null }
    },
    workflow({ hash }) {
      const document = state.documents.get(hash)
      if (!document) throw new Refused(404, 'record.not_found')
      return { document: { ...document } }
    },
    subworkflow({ workflowId }) {
      const document = state.subworkflows.get(workflowId)
      if (!document) throw new Refused(404, 'record.not_found')
      return { document: { ...document }, release: 1 }
    },
    inputFile({ fileId }) {
      const bytes = state.files.get(fileId)
      if (!bytes) throw new Refused(404, 'record.not_found')
      return bytes
    },
    snapshot({ id, leaseToken }) {
      const { profile, goOn } = one({ runId: id, leaseToken }).job
      const bytes = state.files.get((goOn?.snapshot ?? profile?.snapshot)?.sha256 ?? '')
      if (!bytes) throw new Refused(404, 'record.not_found')
      return bytes
    },
    upload({ sha256, offset, size }, { body }) {
      const whole = state.files.get(sha256)
      if (whole) return { received: whole.length, complete: true }
      const part = state.parts.get(sha256) ?? Buffer.alloc(0)
      if (offset !== part.length) return { received: part.length, complete: false }
      const bytes = Buffer.concat([part, body])
      state.parts.set(sha256, bytes)
      if (bytes.length < size) return { received: bytes.length, complete: false }
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        throw new Refused(422, 'agent.wrong_hash')
      state.files.set(sha256, bytes)
      return { received: bytes.length, complete: true }
    },
  }
}
