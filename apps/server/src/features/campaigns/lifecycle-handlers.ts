import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { campaigns } from '@weft/contract/campaigns/api'
import type { CampaignEvent } from '@weft/contract/campaigns/states'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord, newId } from '../../kit/record.ts'
import type { Engine } from '../../engine/engine.ts'
import { refuseHeldBack } from '../activities/switched-off.ts'
import { requireOpenProject, requirePlace } from '../projects/open.ts'
import { releaseToStart } from '../workflows/offered.ts'
import { cancelWaiting } from './begin.ts'
import { beginCampaign } from './jobs.ts'
import { EMPTY_TALLY, moveCampaign, tallies } from './lifecycle.ts'
import { freeCode } from './codes.ts'
import { presentOne, startObstacle } from './present.ts'
import { campaignSource } from './source.ts'
import { stopRuns } from './stop-runs.ts'
import { campaign, type CampaignRow } from './table.ts'
import { checkInputs } from './inputs.ts'

type Own = Pick<
  Implementation<typeof campaigns>,
  'start' | 'unschedule' | 'pause' | 'resume' | 'cancel' | 'archive' | 'copy'
>

const attachedRow = z.object({ attached: z.record(z.string(), z.number()).nullable() })

/** Starting, pausing, going on, cancelling: each asks the one transition function and says why not where it may not. */
export function lifecycleHandlers(engine: Engine): Own {
  const move = async (
    ctx: CallContext,
    id: string,
    event: CampaignEvent,
    change: { reason?: string | null; set?: Partial<CampaignRow> } = {},
  ): Promise<CampaignRow> => {
    const before = await findRecord(ctx, campaignSource, id, 'RUN', { lock: true })
    const after = await moveCampaign(ctx.tx, id, event, change)
    if (!after) throw new AppError('campaign.wrong_state', { state: before.state, action: event })
    ctx.audit({
      feature: 'campaigns',
      recordId: id,
      before: { state: before.state },
      after: { state: after.state },
    })
    ctx.event({ feature: 'campaigns', id, kind: 'updated', ownerId: after.ownerId })
    ctx.afterCommit(() => {
      engine.look(id)
      engine.wake(null)
    })
    return after
  }

  return {
    async start(ctx, { id }) {
      const row = await findRecord(ctx, campaignSource, id, 'RUN', { lock: true })
      await requireOpenProject(ctx.tx, row.projectId)
      const release = await releaseToStart(ctx.tx, row.workflowId, row.release)
      const facts = await ctx.tx.execute(sql`
        select json_object_agg(kind, n) as attached
        from (select kind, count(*)::int as n from campaign_resource where campaign_id = ${id} group by kind) k`)
      const { attached } = attachedRow.parse(facts.rows[0])
      const obstacle = startObstacle(row, release, attached ?? {})
      if (obstacle) throw new AppError(obstacle)
      if (!row.workflowId || release === null) throw new AppError('campaign.no_release')
      await checkInputs(ctx, row.workflowId, release, row.inputs)
      await refuseHeldBack(ctx.tx, row.workflowId, release)
      const at = row.schedule.mode === 'at' ? new Date(row.schedule.at) : new Date()
      if (row.schedule.mode === 'at' && at.getTime() < Date.now() - 60_000)
        throw new AppError('campaign.at_in_past')
      const after = await move(ctx, id, 'schedule', { set: { release, beginAt: at } })
      await ctx.enqueue(beginCampaign, { campaignId: id }, { startAfter: at })
      return presentOne(ctx.tx, after, ctx)
    },

    unschedule: async (ctx, { id }) =>
      presentOne(ctx.tx, await move(ctx, id, 'unschedule', { set: { beginAt: null, release: null } }), ctx),

    pause: async (ctx, { id }) =>
      presentOne(ctx.tx, await move(ctx, id, 'pause', { reason: 'operator' }), ctx),

    async resume(ctx, { id }) {
      const { workflowId, release } = await findRecord(ctx, campaignSource, id, 'RUN', { lock: true })
      if (workflowId && release !== null) await refuseHeldBack(ctx.tx, workflowId, release)
      const tally = (await tallies(ctx.tx, [id])).get(id) ?? EMPTY_TALLY
      const set = { failedBefore: tally.failed, settledBefore: tally.done + tally.failed }
      return presentOne(ctx.tx, await move(ctx, id, 'resume', { set }), ctx)
    },

    async cancel(ctx, { id }) {
      const row = await move(ctx, id, 'cancel', { reason: 'operator' })
      await cancelWaiting(ctx.tx, id)
      const asked = await stopRuns(ctx, engine, { campaignId: id }, `cancelled by ${ctx.user.username}`)
      ctx.afterCommit(() => {
        for (const { runId } of asked)
          engine.publish({ feature: 'runs', id: runId, kind: 'progress', ownerId: row.ownerId, parentId: id })
      })
      return presentOne(ctx.tx, row, ctx)
    },

    archive: async (ctx, { id }) => presentOne(ctx.tx, await move(ctx, id, 'archive'), ctx),

    async copy(ctx, { id }) {
      const row = await findRecord(ctx, campaignSource, id)
      const own = { ownerId: ctx.user.id, projectId: row.projectId, type: row.type }
      if (!ctx.can('CREATE', 'CAMPAIGN', own)) throw new AppError('access.denied')
      await requirePlace(ctx, row.projectId, 'CAMPAIGN')
      const copyId = newId()
      const [made] = await ctx.tx
        .insert(campaign)
        .values({
          id: copyId,
          ownerId: ctx.user.id,
          createdBy: ctx.user.id,
          code: await freeCode(ctx.tx, ctx.user.id, row.code),
          title: row.title,
          description: row.description,
          type: row.type,
          projectId: row.projectId,
          workflowId: row.workflowId,
          inputs: row.inputs,
          pairing: row.pairing,
          schedule: { mode: 'now' },
          pacing: row.pacing,
          errors: row.errors,
          priority: row.priority,
          tags: row.tags,
          notes: row.notes,
          copiedFromId: row.id,
        })
        .returning()
      if (!made) throw new AppError('system.failed')
      await ctx.tx.execute(sql`
        insert into campaign_resource (campaign_id, kind, resource_id)
        select ${copyId}::uuid, kind, resource_id from campaign_resource where campaign_id = ${id} order by position`)
      ctx.audit({ feature: 'campaigns', recordId: copyId, after: { copiedFrom: id, code: made.code } })
      ctx.event({ feature: 'campaigns', id: copyId, kind: 'created', ownerId: ctx.user.id })
      return presentOne(ctx.tx, made, ctx)
    },
  }
}
