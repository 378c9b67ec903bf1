import { agents } from '@weft/contract/agents/api'
import type { AgentRefusal } from '@weft/contract/agents/jobs'
import type { Work } from '../../kit/context.ts'
import type { FileStore } from '../../kit/file-store.ts'
import { together, type GatheredHandler } from '../../kit/implement.ts'
import type { Secrets } from '../../kit/secrets.ts'
import type { Engine } from '../../engine/engine.ts'
import { buildAttendedJobs } from '../attended-runs/job.ts'
import { stepsTold, type TestSink } from '../test-runs/live.ts'
import { endRuns, type RunEnd } from '../runs/end.ts'
import { finishRuns } from './finish.ts'
import { buildJobs } from './job.ts'
import { fresh, keepLate, store } from './report.ts'
import type { JobSigner } from './signing.ts'
import {
  claimable,
  extend,
  lockRuns,
  markClaimed,
  markStarted,
  renewable,
  type HeldRun,
  type Holder,
  type Holding,
} from './work.ts'

/** What the calls about leases are built from. */
export interface LeaseDeps {
  engine: Engine
  signer: JobSigner
  files: FileStore
  secrets: Secrets
  /** Where those who started test runs hear of them. */
  tests: TestSink
}

interface AgentCall<Input> {
  ctx: { agent: { clientId: string } }
  input: Input
}

/** The calls by which agents take, hold and end their runs. Many agents ask at once, so they share transactions. */
export function leaseCalls({ engine, signer, files, secrets, tests }: LeaseDeps) {
  const leaseSeconds = () => engine.params.leaseSeconds

  /** Locks what all the calls name; with each call, what its agent holds and may go on with. */
  const hold = async <Input>(
    work: Work,
    calls: readonly AgentCall<Input>[],
    named: (input: Input) => readonly Holder[],
    refusal: (row: HeldRun) => AgentRefusal | null = () => null,
  ) => {
    const holdings = await lockRuns(
      work.tx,
      engine.leaseKey,
      calls.map(({ ctx, input }) => ({ clientId: ctx.agent.clientId, holders: named(input) })),
    )
    const good: HeldRun[] = []
    const each = calls.flatMap(({ input }, index) => {
      const holding = holdings[index]
      if (!holding) return []
      for (const [id, row] of holding.held) {
        const code = refusal(row)
        if (code) holding.refused.set(id, code)
        else good.push(row)
      }
      return [{ input, holding }]
    })
    return { each, good, ids: good.map((row) => row.id) }
  }

  const leaseAnswer = (holders: readonly Holder[], { held, refused }: Holding) => ({
    results: holders.map(({ runId }) => {
      const row = held.get(runId)
      const code = refused.get(runId)
      if (!row || code) return { ok: false as const, runId, code: code ?? ('unknown' as const) }
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
    claim: together(agents.claim, async (work, calls) => {
      const { each, good, ids } = await hold(work, calls, ({ claims }) => claims, claimable)
      await markClaimed(work.tx, ids, leaseSeconds())
      const attended = good.flatMap((row) => (row.workflow_id === null ? [row.id] : []))
      const jobs = new Map([
        ...(await buildJobs(work.tx, secrets, ids)),
        ...(await buildAttendedJobs(work.tx, attended)),
      ])
      const gone = ids.filter((id) => !jobs.has(id))
      if (gone.length > 0) {
        const ended = await endRuns(
          work.tx,
          gone.map((runId) => rejection(runId, 'ResourceGone', 'A resource of this item is gone.')),
        )
        work.afterCommit(() => engine.ended(ended))
      }
      return each.map(({ input: { claims }, holding: { refused } }) => ({
        results: claims.map(({ runId }) => {
          const code = refused.get(runId)
          const job = code ? undefined : jobs.get(runId)
          if (!job) return { ok: false as const, runId, code: code ?? ('not_allowed' as const) }
          return {
            ok: true as const,
            runId,
            leaseSeconds: leaseSeconds(),
            signed: { job, signature: signer.sign(job) },
          }
        }),
      }))
    }),

    reject: together(agents.reject, async (work, calls) => {
      const { each } = await hold(work, calls, ({ runs }) => runs)
      const ended = await endRuns(
        work.tx,
        each.flatMap(({ input, holding }) =>
          input.runs.flatMap((entry) => {
            const row = holding.held.get(entry.runId)
            return row && (row.cycle === 'queued' || row.cycle === 'leased')
              ? [rejection(entry.runId, 'Rejected', entry.reason)]
              : []
          }),
        ),
      )
      work.afterCommit(() => engine.ended(ended))
      return each.map(({ input, holding }) => leaseAnswer(input.runs, holding))
    }),

    start: together(agents.start, async (work, calls) => {
      const { each, good, ids } = await hold(
        work,
        calls,
        ({ runs }) => runs,
        (row) => (row.cancel_mode && row.cycle === 'leased' ? 'cancelled' : renewable(row)),
      )
      await markStarted(work.tx, ids, leaseSeconds())
      work.afterCommit(() => {
        for (const row of good) if (row.campaign_id) engine.look(row.campaign_id)
      })
      return each.map(({ input, holding }) => leaseAnswer(input.runs, holding))
    }),

    renew: together(agents.renew, async (work, calls) => {
      const { each, ids } = await hold(work, calls, ({ runs }) => runs, renewable)
      await extend(work.tx, ids, leaseSeconds())
      return each.map(({ input, holding }) => leaseAnswer(input.runs, holding))
    }),

    report: together(agents.report, async (work, calls) => {
      const { each } = await hold(work, calls, ({ runs }) => runs)
      const told = each.flatMap(({ input, holding }) =>
        input.runs.flatMap((entry) => {
          const run = holding.held.get(entry.runId)
          return run ? [{ run, events: entry.events }] : []
        }),
      )
      const live = told.filter(({ run }) => hasBegun(run))
      const acks = await store(
        work.tx,
        live.map(({ run, events }) => ({ run, events: fresh(events, run.events_ack) })),
      )
      for (const { run, events } of told) {
        if (run.cycle !== 'finished') continue
        const late = events.filter((event) => event.seq > run.events_ack)
        if (late.length > 0) await keepLate(work.tx, run.id, 'events', late.slice(0, 50))
      }
      work.afterCommit(() => {
        for (const { run, events } of live) stepsTold(tests, run, events)
        for (const { run } of live)
          engine.publish({
            feature: 'runs',
            id: run.id,
            kind: 'progress',
            ownerId: run.owner_id,
            parentId: run.campaign_id,
          })
      })
      return each.map(({ input, holding: { held, refused } }) => ({
        results: input.runs.map(({ runId, events }) => {
          const row = held.get(runId)
          if (!row) return { runId, ack: 0, code: refused.get(runId) ?? ('unknown' as const) }
          if (row.cycle === 'finished')
            return { runId, ack: events.at(-1)?.seq ?? row.events_ack, code: 'superseded' as const }
          if (!hasBegun(row)) return { runId, ack: row.events_ack, code: 'not_allowed' as const }
          return { runId, ack: acks.get(runId) ?? row.events_ack, code: 'ok' as const }
        }),
      }))
    }),

    finish: together(agents.finish, async (work, calls) => {
      const { each } = await hold(work, calls, ({ runs }) => runs)
      const { results, ended } = await finishRuns(
        work.tx,
        { files, secrets },
        each.map(({ input, holding }) => ({ runs: input.runs, holding })),
      )
      work.afterCommit(() => {
        for (const { input, holding } of each)
          for (const { runId, events } of input.runs) stepsTold(tests, holding.held.get(runId), events)
        engine.ended(ended)
      })
      return results.map((of) => ({ results: of }))
    }),
  } satisfies {
    [K in 'claim' | 'reject' | 'start' | 'renew' | 'report' | 'finish']: GatheredHandler<(typeof agents)[K]>
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
