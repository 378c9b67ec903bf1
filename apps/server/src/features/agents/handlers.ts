import { eq } from 'drizzle-orm'
import { agents, SNAPSHOT_MAX_BYTES } from '@weft/contract/agents/api'
import { AppError } from '../../kit/app-error.ts'
import type { AgentContext } from '../../kit/context.ts'
import { stream } from '../../kit/answers.ts'
import type { FileStore } from '../../kit/file-store.ts'
import { FileStoreError } from '../../kit/file-store.ts'
import { prepared, type Implementation } from '../../kit/implement.ts'
import type { Secrets } from '../../kit/secrets.ts'
import type { Engine } from '../../engine/engine.ts'
import { client } from '../clients/table.ts'
import { heartbeat } from './heartbeat.ts'
import { keepFrame } from '../attended-runs/frames.ts'
import { challenge, openSession, register, renewToken, TOKEN_SECONDS } from './identity.ts'
import { appendLog, type LogSink } from './log.ts'
import { readSecret } from './secrets.ts'
import type { JobSigner } from './signing.ts'
import { calledWorkflow, inputFile, snapshotOf, workflowByHash } from './content.ts'
import { waitInPlace } from '../runs/holds.ts'
import { linesTold, type TestSink } from '../test-runs/live.ts'
import { leaseCalls } from './lease-calls.ts'
import { lockRun, renewable, type HeldRun, type Holder } from './work.ts'

/** What the agents' calls are built from. */
export interface AgentDeps {
  engine: Engine
  signer: JobSigner
  secrets: Secrets
  files: FileStore
  logs: LogSink
  tests: TestSink
}

/** The agents' calls. Those about leases are answered run by run, many agents in one transaction. */
export function agentHandlers({
  engine,
  signer,
  secrets,
  files,
  logs,
  tests,
}: AgentDeps): Implementation<typeof agents> {
  /** The one run that a call is about, held and not over. */
  const holdOne = async (ctx: AgentContext, holder: Holder): Promise<HeldRun> => {
    const row = await lockRun(ctx.tx, engine.leaseKey, ctx.agent.clientId, holder)
    if (!row || renewable(row)) throw new AppError('agent.unknown_run')
    return row
  }

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

    ...leaseCalls({ engine, signer, files, secrets, tests }),

    async log(ctx, { id, leaseToken, offset }) {
      const row = await lockRun(ctx.tx, engine.leaseKey, ctx.agent.clientId, { runId: id, leaseToken })
      if (!row) throw new AppError('agent.unknown_run')
      const { size, message } = await appendLog(
        ctx.tx,
        row,
        offset,
        await ctx.body.bytes(),
        engine.params.logCapBytes,
      )
      if (message)
        ctx.afterCommit(() => {
          logs(message)
          linesTold(tests, row, message.lines)
        })
      return { size }
    },

    async frame(ctx, { id, leaseToken }) {
      const holder = { clientId: ctx.agent.clientId, runId: id, leaseToken }
      const { isFirst, wanted, accountId, ownerId } = await keepFrame(
        ctx.tx,
        engine.leaseKey,
        holder,
        await ctx.body.bytes(),
      )
      // The desk shows that the browser is open.
      if (isFirst && accountId !== null)
        ctx.afterCommit(() =>
          engine.publish({ feature: 'accounts', id: accountId, kind: 'updated', ownerId }),
        )
      return { taken: true, wanted }
    },

    async wait(ctx, { id, leaseToken, seq, wait }) {
      await holdOne(ctx, { runId: id, leaseToken })
      return { end: await waitInPlace(ctx.tx, id, seq, wait) }
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
