import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { editorBrowsers } from '@weft/contract/editor-browsers/api'
import type { AttendedRun } from '@weft/contract/attended-runs/schema'
import type { Engine } from '../../engine/engine.ts'
import { AppError } from '../../kit/app-error.ts'
import type { Implementation } from '../../kit/implement.ts'
import { RateLimit } from '../../kit/rate.ts'
import { findRecord } from '../../kit/record.ts'
import { requireProof } from '../access/proof.ts'
import { workflowSource } from '../workflows/record.ts'
import { openForEditor } from './editor-open.ts'
import type { FrameWaits } from './frames.ts'
import { liveHandlers, refuseToken, tellOf } from './live.ts'
import { findAttended, present } from './view.ts'

/** Browsers that one person opens: at once, and then per second. Each takes a slot of a client. */
const OPENINGS = { burst: 30, perSecond: 0.5 }
const EDITOR = { of: 'editor' } as const
/** The answers to those who may not work any more with what their browser has. */
const LOST: ReadonlySet<string> = new Set(['record.not_found', 'access.denied'])
const openRow = z.object({ id: z.string() })

/**
 * The calls of browsers that are opened from a workflow, to point or to record. They see what a test run of the same person
 * would see; where one is signed in, they show first who they are, as at the desk.
 */
export function editorBrowserHandlers(
  engine: Engine,
  frames: FrameWaits,
  now: () => Date,
): Implementation<typeof editorBrowsers> {
  const openings = new RateLimit(OPENINGS)
  return {
    ...liveHandlers(engine, frames, 'editor'),

    async current(ctx, { workflowId, purpose }) {
      await findRecord(ctx, workflowSource, workflowId, 'UPDATE')
      const { rows } = await ctx.tx.execute(sql`
        select t.run_id as id from attended_run t join run r on r.id = t.run_id
        where t.workflow_id = ${workflowId} and t.purpose = ${purpose} and t.holder_id = ${ctx.user.id}
          and r.finished_at is null and r.cancel_requested_at is null and t.save_asked_at is null
        order by r.queued_at desc limit 1`)
      const found = openRow.safeParse(rows[0])
      if (!found.success) return { run: null }
      const { id } = found.data
      const run = await findAttended(ctx, id, EDITOR).catch((error: unknown) => {
        if (error instanceof AppError && LOST.has(error.code)) return null
        throw error
      })
      if (run) return { run: present(run, ctx.user.id) }
      const lost = await findAttended(ctx, id, { ...EDITOR, closing: true })
      return { run: toBeClosed(present(lost, ctx.user.id)) }
    },

    async open(ctx, input) {
      refuseToken(ctx)
      openings.take(ctx.user.id, now().getTime())
      await findRecord(ctx, workflowSource, input.workflowId, 'UPDATE')
      if (input.accountId !== undefined || input.profileId !== undefined) await requireProof(ctx, now())
      if (!(await engine.isOpen())) throw new AppError('system.maintenance')
      const offer = await openForEditor(ctx, input, engine.params)
      const made = await findAttended(ctx, offer.runId, EDITOR)
      const { purpose, workflow_id: workflowId, account, profile, client } = made
      ctx.audit({
        feature: 'attendedRuns',
        recordId: offer.runId,
        after: { purpose, workflowId, account, profile, client },
      })
      tellOf(ctx, made)
      ctx.afterCommit(() => engine.deliver(offer.clientId, engine.offerCommand(offer)))
      return present(made, ctx.user.id)
    },
  }
}

/** A browser whose rights are gone: it is closed and nothing else, and says nothing of what it has. */
function toBeClosed(run: AttendedRun): AttendedRun {
  const none = { accountId: null, accountName: null, profileId: null, profileName: null }
  return { ...run, ...none, can: ['discard'] }
}
