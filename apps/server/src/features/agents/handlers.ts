import { eq } from 'drizzle-orm'
import { agents, SNAPSHOT_MAX_BYTES } from '@weft/contract/agents/api'
import type { AgentRefusal } from '@weft/contract/agents/schema'
import { AppError } from '../../kit/app-error.ts'
import type { AgentContext } from '../../kit/context.ts'
import { stream } from '../../kit/answers.ts'
import type { FileStore } from '../../kit/file-store.ts'
import { FileStoreError } from '../../kit/file-store.ts'
import { prepared, type Implementation } from '../../kit/implement.ts'
import type { Secrets } from '../../kit/secrets.ts'
import type { Engine } from '../../engine/engine.ts'
import { client } from '../clients/table.ts'
import { endRuns, type RunEnd } from '../runs/end.ts'
import { finishRuns } from './finish.ts'
import { heartbeat } from './heartbeat.ts'
import { challenge, openSession, register, renewToken, TOKEN_SECONDS } from './identity.ts'
import { buildJobs } from './job.ts'
import { appendLog, type LogSink } from './log.ts'
import { fresh, keepLate, store } from './report.ts'
import { readSecret } from './secrets.ts'
import type { JobSigner } from './signing.ts'
import { calledWorkflow, inputFile, snapshotOf, workflowByHash } from './content.ts'
import {
  claimable,
  extend,
  lockRuns,
  markClaimed,
  markStarted,
  renewable,
  type HeldRun,
  type Holder,
} from './work.ts'

/** What the agents' calls are built from. */
export interface AgentDeps {
  engine: Engine
  signer: JobSigner
  secrets: Secrets
  files: FileStore
  logs: LogSink
}

/** The agents' calls. Each is one transaction over all the runs it names, answered run by run. */
export function agentHandlers({
  engine,
  signer,
  secrets,
  files,
  logs,
}: AgentDeps): Implementation<typeof agents> {
  const hold = (ctx: AgentContext, holders: readonly Holder[]) =>
    lockRuns(ctx.tx, engine.leaseKey, ctx.agent.clientId, holders)
  const leaseSeconds = () => engine.params.leaseSeconds

  /** The one run that a call is about, held and not over. */
  const holdOne = async (ctx: AgentContext, holder: Holder): Promise<HeldRun> => {
    const { held } = await hold(ctx, [holder])
    const row = held.get(holder.runId)
    if (!row || renewable(row)) throw new AppError('agent.unknown_run')
    return row
  }

  const leaseAnswer = (
    holders: readonly Holder[],
    held: ReadonlyMap<string, HeldRun>,
    refuse: (runId: string) => AgentRefusal | null,
  ) => ({
    results: holders.map(({ runId }) => {
      const row = held.get(runId)
      const code = refuse(runId)
      if (!row || code) return { ok: false as const, runId, code: code ?? 'unknown' }
      const cancel = row.cancel_mode
        ? {
            mode: row.cancel_mode,
            graceSeconds: engine.params.cancelGraceSeconds,
            reason: row.cancel_reason ?? '',
          }
        : null
      return { ok: true as const, runId, leaseSeconds: leaseSeconds(), cancel }
    }),
  })

  return {
    async register(ctx, input) {
      const { row, isNew } = await register(ctx.tx, input, ctx.address)
      const { id, name, clientKey, ownerId } = row
      ctx.audit({ feature: 'clients', recordId: id, after: { name, clientKey, repeated: !isNew } })
      if (isNew) ctx.event({ feature: 'clients', id, kind: 'created', ownerId })
      return { clientId: id, clientKey, serverPublicKey: signer.publicKey }
    },

    async challenge(ctx, { clientId }) {
      return { nonce: await challenge(ctx.tx, clientId) }
    },

    async session(ctx, input) {
      const session = await openSession(ctx.tx, input, engine.params, ctx.address)
      ctx.event({ feature: 'clients', id: session.clientId, kind: 'updated', ownerId: null })
      ctx.afterCommit(() => engine.wake(session.clientId))
      return session
    },

    async heartbeat(ctx, beat) {
      const { clientId, ownerId } = ctx.agent
      const { commands, changed } = await heartbeat(ctx.tx, engine, clientId, beat, ctx.address)
      const [row] = await ctx.tx.select().from(client).where(eq(client.id, clientId))
      const token = row ? await renewToken(ctx.tx, row) : null
      engine.publish({ feature: 'clients', id: clientId, kind: changed ? 'updated' : 'progress', ownerId })
      if (beat.freeSlots > 0) ctx.afterCommit(() => engine.wake(clientId))
      return { commands, token, expiresInSeconds: token ? TOKEN_SECONDS : null }
    },

    async claim(ctx, { claims }) {
      const { held, refused } = await hold(ctx, claims)
      for (const [id, row] of held) {
        const code = claimable(row)
        if (code) refused.set(id, code)
      }
      const good = [...held.keys()].filter((id) => !refused.has(id))
      await markClaimed(ctx.tx, good, leaseSeconds())
      const jobs = await buildJobs(ctx.tx, good)
      const gone = good.filter((id) => !jobs.has(id))
      if (gone.length > 0) {
        const ended = await endRuns(
          ctx.tx,
          gone.map((runId) => rejection(runId, 'ResourceGone', 'A resource of this item is gone.')),
        )
        ctx.afterCommit(() => engine.ended(ended))
      }
      return {
        results: claims.map(({ runId }) => {
          const job = jobs.get(runId)
          if (!job || refused.has(runId))
            return { ok: false as const, runId, code: refused.get(runId) ?? 'not_allowed' }
          return {
            ok: true as const,
            runId,
            leaseSeconds: leaseSeconds(),
            signed: { job, signature: signer.sign(job) },
          }
        }),
      }
    },

    async reject(ctx, { runs }) {
      const { held, refused } = await hold(ctx, runs)
      const ended = await endRuns(
        ctx.tx,
        runs.flatMap((entry) => {
          const row = held.get(entry.runId)
          return row && (row.cycle === 'queued' || row.cycle === 'leased')
            ? [rejection(entry.runId, 'Rejected', entry.reason)]
            : []
        }),
      )
      ctx.afterCommit(() => engine.ended(ended))
      return leaseAnswer(runs, held, (id) => refused.get(id) ?? null)
    },

    async start(ctx, { runs }) {
      const { held, refused } = await hold(ctx, runs)
      for (const [id, row] of held) {
        const code = row.cancel_mode && row.cycle === 'leased' ? 'cancelled' : renewable(row)
        if (code) refused.set(id, code)
      }
      const good = [...held.keys()].filter((id) => !refused.has(id))
      await markStarted(ctx.tx, good, leaseSeconds())
      ctx.afterCommit(() => {
        for (const id of good) {
          const row = held.get(id)
          if (row?.campaign_id) engine.look(row.campaign_id)
        }
      })
      return leaseAnswer(runs, held, (id) => refused.get(id) ?? null)
    },

    async renew(ctx, { runs }) {
      const { held, refused } = await hold(ctx, runs)
      for (const [id, row] of held) {
        const code = renewable(row)
        if (code) refused.set(id, code)
      }
      await extend(
        ctx.tx,
        [...held.keys()].filter((id) => !refused.has(id)),
        leaseSeconds(),
      )
      return leaseAnswer(runs, held, (id) => refused.get(id) ?? null)
    },

    async report(ctx, { runs }) {
      const { held, refused } = await hold(ctx, runs)
      const live = runs.flatMap((entry) => {
        const row = held.get(entry.runId)
        return row && hasBegun(row) ? [{ run: row, events: fresh(entry.events, row.events_ack) }] : []
      })
      const acks = await store(ctx.tx, live)
      for (const entry of runs) {
        const row = held.get(entry.runId)
        if (row?.cycle !== 'finished') continue
        const late = entry.events.filter((event) => event.seq > row.events_ack)
        if (late.length > 0) await keepLate(ctx.tx, entry.runId, 'events', late.slice(0, 50))
      }
      for (const { run } of live)
        engine.publish({
          feature: 'runs',
          id: run.id,
          kind: 'progress',
          ownerId: run.owner_id,
          parentId: run.campaign_id,
        })
      return {
        results: runs.map(({ runId, events }) => {
          const row = held.get(runId)
          if (!row) return { runId, ack: 0, code: refused.get(runId) ?? 'unknown' }
          if (row.cycle === 'finished')
            return { runId, ack: events.at(-1)?.seq ?? row.events_ack, code: 'superseded' as const }
          if (!hasBegun(row)) return { runId, ack: row.events_ack, code: 'not_allowed' as const }
          return { runId, ack: acks.get(runId) ?? row.events_ack, code: 'ok' as const }
        }),
      }
    },

    async finish(ctx, { runs }) {
      const { held, refused } = await hold(ctx, runs)
      const { results, ended } = await finishRuns(ctx.tx, files, runs, held, refused)
      ctx.afterCommit(() => engine.ended(ended))
      return { results }
    },

    async log(ctx, { id, leaseToken, offset }) {
      const { held } = await hold(ctx, [{ runId: id, leaseToken }])
      const row = held.get(id)
      if (!row) throw new AppError('agent.unknown_run')
      const { size, message } = await appendLog(
        ctx.tx,
        row,
        offset,
        await ctx.body.bytes(),
        engine.params.logCapBytes,
      )
      if (message) ctx.afterCommit(() => logs(message))
      return { size }
    },

    async secret(ctx, { runId, leaseToken, handle }) {
      await holdOne(ctx, { runId, leaseToken })
      const value = await readSecret(ctx.tx, secrets, runId, handle)
      ctx.audit({ feature: 'runs', recordId: runId, label: 'run.secret', after: { handle } })
      return { value }
    },

    async workflow(ctx, { hash }) {
      return { document: await workflowByHash(ctx.tx, ctx.agent.clientId, hash) }
    },

    async subworkflow(ctx, { id, workflowId, leaseToken, release }) {
      const row = await holdOne(ctx, { runId: id, leaseToken })
      return calledWorkflow(ctx.tx, row, workflowId, release)
    },

    async inputFile(ctx, { id, fileId, leaseToken }) {
      const row = await holdOne(ctx, { runId: id, leaseToken })
      const found = await inputFile(ctx.tx, row, fileId)
      const body = await files.read(found.sha256)
      if (!body) throw new AppError('record.not_found')
      return stream({
        contentType: 'application/octet-stream',
        fileName: found.name,
        length: found.size,
        body,
      })
    },

    async snapshot(ctx, { id, leaseToken }) {
      await holdOne(ctx, { runId: id, leaseToken })
      const found = await snapshotOf(ctx.tx, id)
      const body = await files.read(found.sha256)
      if (!body) throw new AppError('record.not_found')
      return stream({ contentType: 'application/octet-stream', length: found.size, body })
    },

    // Bytes are stored before and without a transaction: they mean nothing until an event or an end names them.
    upload: prepared(
      agents.upload,
      async (ctx, { sha256, offset, size }) => {
        const whole = await files.has(sha256)
        if (whole !== undefined) return { received: whole, complete: true }
        try {
          const received = await files.writePart(sha256, offset, await ctx.body.bytes(), SNAPSHOT_MAX_BYTES)
          if (received < size) return { received, complete: false }
          return { received: await files.finish(sha256), complete: true }
        } catch (error) {
          if (!(error instanceof FileStoreError)) throw error
          if (error.reason === 'range') return { received: error.have, complete: false }
          throw new AppError(error.reason === 'too_large' ? 'agent.file_too_large' : 'agent.wrong_hash')
        }
      },
      async (_ctx, _input, stored) => stored,
    ),
  }
}

const hasBegun = ({ cycle }: HeldRun) => cycle === 'running' || cycle === 'waiting'

const rejection = (runId: string, cls: string, message: string): RunEnd => ({
  runId,
  result: 'rejected',
  error: { class: cls, message, stepId: null, stepName: null },
  outputs: {},
  browser: null,
  accountRejected: false,
})
