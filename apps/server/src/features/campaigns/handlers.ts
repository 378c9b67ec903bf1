import { eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { campaigns } from '@weft/contract/campaigns/api'
import type { campaignCreate } from '@weft/contract/campaigns/schema'
import { stream } from '../../kit/answers.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { findRecord, madeBy, newId, restoreRecords, trashRecords, updateRecord } from '../../kit/record.ts'
import { inTrash, withTags } from '../../kit/resource/view.ts'
import type { Engine } from '../../engine/engine.ts'
import { workflow } from '../workflows/table.ts'
import { leaveTrashedProject, requirePlace } from '../projects/open.ts'
import { project } from '../projects/table.ts'
import { attachHandlers } from './attach.ts'
import { codeFrom, freeCode } from './codes.ts'
import { itemHandlers } from './item-handlers.ts'
import { lifecycleHandlers } from './lifecycle-handlers.ts'
import { planHandlers } from './plan-handlers.ts'
import { DELETABLE, presentCampaigns, presentOne } from './present.ts'
import { results } from './results.ts'
import { campaignSource } from './source.ts'
import { campaign, type CampaignRow } from './table.ts'

/** While a campaign runs only these may change: they touch nothing that has begun. */
const LIVE_FIELDS: readonly string[] = [
  'title',
  'description',
  'notes',
  'tags',
  'pacing',
  'errors',
  'priority',
  'projectId',
]
const FREE_STATES: readonly CampaignRow['state'][] = ['draft', 'scheduled']

const createShape = z.object({} as typeof campaignCreate)
type Links = Partial<Pick<z.output<typeof createShape>, 'projectId' | 'workflowId'>>

/** The campaign calls. */
export function campaignHandlers(engine: Engine): Implementation<typeof campaigns> {
  return {
    list: (ctx, input) =>
      listOf(ctx.tx, input, {
        rows: (tx) => tx.select().from(campaign).$dynamic(),
        table: campaign,
        id: campaign.id,
        where: [
          inTrash(campaign.deletedAt, input.trashed),
          withTags(campaign.tags, input.tags),
          ctx.scope('VIEW', 'CAMPAIGN', campaignSource.columns),
          input.state?.length ? inArray(campaign.state, input.state) : sql`${campaign.state} <> 'archived'`,
          input.type?.length ? inArray(campaign.type, input.type) : undefined,
          input.projectId
            ? eq(campaign.projectId, input.projectId)
            : sql`not exists (select 1 from project p where p.id = ${campaign.projectId} and p.status = 'archived')`,
          input.workflowId ? eq(campaign.workflowId, input.workflowId) : undefined,
        ],
        search: [sql`${sql.identifier('campaign')}.search`],
        sort: {
          title: campaign.title,
          code: campaign.code,
          type: campaign.type,
          state: campaign.state,
          startedAt: campaign.startedAt,
          finishedAt: campaign.finishedAt,
          createdAt: campaign.createdAt,
          updatedAt: campaign.updatedAt,
        },
        defaultSort: { by: 'updatedAt', desc: true },
        present: (rows, tx) => presentCampaigns(tx, rows, ctx),
      }),

    get: async (ctx, { id }) => presentOne(ctx.tx, await findRecord(ctx, campaignSource, id), ctx),

    async create(ctx, input) {
      if (!ctx.can('CREATE', 'CAMPAIGN', { ...madeBy(ctx), projectId: input.projectId, type: input.type }))
        throw new AppError('access.denied')
      await checkLinks(ctx, input)
      await requirePlace(ctx, input.projectId, 'CAMPAIGN')
      const { code, ...fields } = input
      const id = newId()
      const [made] = await ctx.tx
        .insert(campaign)
        .values({
          id,
          ...madeBy(ctx),
          ...fields,
          code: code === undefined ? await freeCode(ctx.tx, ctx.user.id, codeFrom(input.title)) : code,
        })
        .onConflictDoNothing()
        .returning()
      if (!made) throw duplicateCode()
      ctx.audit({ feature: 'campaigns', recordId: id, after: made })
      ctx.event({ feature: 'campaigns', id, kind: 'created', ownerId: made.ownerId })
      return presentOne(ctx.tx, made, ctx)
    },

    async update(ctx, { id, version, ...changes }) {
      const before = await findRecord(ctx, campaignSource, id, 'UPDATE', { lock: true })
      if (!FREE_STATES.includes(before.state)) {
        const frozen = Object.keys(changes).filter((field) => !LIVE_FIELDS.includes(field))
        if (frozen.length > 0) throw new AppError('campaign.not_editable', { state: before.state })
      }
      await checkLinks(ctx, changes)
      if (changes.projectId !== undefined && changes.projectId !== before.projectId) {
        const moved = { ...before, projectId: changes.projectId }
        if (!ctx.can('DELETE', 'CAMPAIGN', before) || !ctx.can('UPDATE', 'CAMPAIGN', moved))
          throw new AppError('access.denied')
        await requirePlace(ctx, changes.projectId, 'CAMPAIGN')
      }
      if (changes.code !== undefined && changes.code !== before.code)
        await checkCode(ctx, before, changes.code)
      const after = await updateRecord(ctx.tx, campaign, { id, version }, changes, (row) =>
        presentOne(ctx.tx, row, ctx),
      )
      ctx.audit({ feature: 'campaigns', recordId: id, before, after })
      ctx.event({ feature: 'campaigns', id, kind: 'updated', ownerId: after.ownerId })
      ctx.afterCommit(() => engine.wake(null))
      return presentOne(ctx.tx, after, ctx)
    },

    async remove(ctx, { id }) {
      const row = await findRecord(ctx, campaignSource, id, 'DELETE', { lock: true })
      if (!DELETABLE.includes(row.state))
        throw new AppError('campaign.wrong_state', { state: row.state, action: 'delete' })
      await trashRecords(ctx.tx, campaign, eq(campaign.id, id))
      ctx.audit({ feature: 'campaigns', recordId: id, before: row })
      ctx.event({ feature: 'campaigns', id, kind: 'deleted', ownerId: row.ownerId })
    },

    async restore(ctx, { id }) {
      const row = await findRecord(ctx, campaignSource, id, 'DELETE', { trashed: true, lock: true })
      await checkCode(ctx, row, row.code)
      await leaveTrashedProject(ctx.tx, campaign, id)
      await restoreRecords(ctx.tx, campaign, eq(campaign.id, id))
      ctx.audit({
        feature: 'campaigns',
        recordId: id,
        before: { deleted: true },
        after: { deleted: false },
      })
      ctx.event({ feature: 'campaigns', id, kind: 'created', ownerId: row.ownerId })
      return presentOne(ctx.tx, await findRecord(ctx, campaignSource, id), ctx)
    },

    async results(ctx, { id, format }) {
      const row = await findRecord(ctx, campaignSource, id)
      return stream({
        contentType: format === 'csv' ? 'text/csv' : 'application/x-ndjson',
        fileName: `${row.code}-results.${format}`,
        body: results(ctx.tx, id, format),
      })
    },

    ...planHandlers(engine),
    ...lifecycleHandlers(engine),
    ...attachHandlers(engine),
    ...itemHandlers(engine),
  }
}

/** A campaign may only name a workflow and a project that its maker sees. */
async function checkLinks(ctx: CallContext, links: Links): Promise<void> {
  const see = async (path: string, look: () => Promise<unknown>) => {
    try {
      await look()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'record.not_found') throw error
      throw new AppError(
        'link.not_found',
        {},
        { errors: [{ path, code: 'link.not_found', message: 'No such record.' }] },
      )
    }
  }
  const { workflowId, projectId } = links
  if (workflowId) {
    const source = {
      table: workflow,
      subject: 'WORKFLOW',
      columns: { id: workflow.id, ownerId: workflow.ownerId, projectId: workflow.projectId },
    } as const
    await see('workflowId', () => findRecord(ctx, source, workflowId))
  }
  if (projectId) {
    const source = {
      table: project,
      subject: 'PROJECT',
      columns: { id: project.id, ownerId: project.ownerId },
    } as const
    await see('projectId', () => findRecord(ctx, source, projectId))
  }
}

async function checkCode(ctx: CallContext, row: CampaignRow, code: string): Promise<void> {
  const taken = await ctx.tx.execute(sql`
    select 1 from campaign where owner_id is not distinct from ${row.ownerId}::uuid and code = ${code} and deleted_at is null and id <> ${row.id}`)
  if (taken.rows.length > 0) throw duplicateCode()
}

const duplicateCode = () =>
  new AppError(
    'record.duplicate',
    { field: 'code' },
    { errors: [{ path: 'code', code: 'record.duplicate', message: 'This code is in use.' }] },
  )
