import { eq, sql } from 'drizzle-orm'
import type { activities } from '@weft/contract/activities/api'
import { emptyDocument } from '@weft/workflow/document'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord, madeBy, newId } from '../../kit/record.ts'
import { draftColumns, readDocument } from '../workflows/document.ts'
import { activitySource } from '../workflows/record.ts'
import { workflow } from '../workflows/table.ts'
import { takeBack, throwAway } from '../workflows/thrown.ts'
import { oneActivity, type Row } from './rows.ts'
import { activitySetting } from './table.ts'

type Calls = Implementation<typeof activities>

/** Makes a custom activity with its first draft; it can be placed once a version is published. */
export const createActivity: Calls['create'] = async (ctx, { draft: wire, ...fields }) => {
  const draft = wire ? readDocument(wire) : emptyDocument()
  const id = newId()
  await ctx.tx
    .insert(workflow)
    .values({ id, ...madeBy(ctx), ...fields, kind: 'activity', ...draftColumns(draft, ctx) })
  ctx.audit({ feature: 'activities', recordId: id, after: fields })
  ctx.event({ feature: 'activities', id, kind: 'created' })
  return oneActivity(ctx.tx, ctx, id)
}

/** Switches an activity on or off, and changes the words of a custom one. */
export const updateActivity: Calls['update'] = async (ctx, { id, version, enabled, ...words }) => {
  const before = await oneActivity(ctx.tx, ctx, id)
  if (before.version !== version) throw new AppError('record.stale', {}, { current: before })
  const renamed = Object.keys(words).length > 0
  const switched = enabled !== undefined && enabled !== before.enabled
  const { guard, ...anywhere } = activitySource
  // It can be switched off whatever its project is; its words are its project's.
  if (!before.builtIn)
    await findRecord(ctx, renamed ? { ...anywhere, guard } : anywhere, id, 'UPDATE', { lock: true })
  if (renamed) {
    if (before.builtIn) throw new AppError('activity.built_in')
    await ctx.tx
      .update(workflow)
      .set({ ...words, version: sql`${workflow.version} + 1`, updatedAt: sql`now()` })
      .where(eq(workflow.id, id))
  }
  if (switched) await setEnabled(ctx, id, enabled)
  const after = await oneActivity(ctx.tx, ctx, id)
  // Of two who change it at the same moment, the second is told.
  if (after.version !== version + Number(renamed) + Number(switched))
    throw new AppError('record.stale', {}, { current: after })
  ctx.audit({ feature: 'activities', recordId: id, before: told(before), after: told(after) })
  ctx.event({ feature: 'activities', id, kind: 'updated' })
  if (!before.builtIn) ctx.event({ feature: 'workflows', id, kind: 'updated' })
  return after
}

async function setEnabled(ctx: CallContext, activity: string, enabled: boolean): Promise<void> {
  await ctx.tx
    .insert(activitySetting)
    .values({ activity, enabled, updatedBy: ctx.user.id })
    .onConflictDoUpdate({
      target: activitySetting.activity,
      set: {
        enabled,
        version: sql`${activitySetting.version} + 1`,
        updatedAt: sql`now()`,
        updatedBy: ctx.user.id,
      },
    })
}

/** Puts a custom activity into the trash, unless something holds it. */
export async function removeActivity(ctx: CallContext, id: string): Promise<void> {
  const row = await oneActivity(ctx.tx, ctx, id)
  if (row.builtIn) throw new AppError('activity.built_in')
  await throwAway(ctx, activitySource, id)
  ctx.audit({ feature: 'activities', recordId: id, before: { deleted: false }, after: { deleted: true } })
  ctx.event({ feature: 'activities', id, kind: 'deleted' })
}

/** Takes a custom activity out of the trash; it has the versions that it had. */
export const restoreActivity: Calls['restore'] = async (ctx, { id }) => {
  await takeBack(ctx, activitySource, id, 'activity')
  ctx.audit({ feature: 'activities', recordId: id, before: { deleted: true }, after: { deleted: false } })
  ctx.event({ feature: 'activities', id, kind: 'created' })
  return oneActivity(ctx.tx, ctx, id)
}

function told({ enabled, name, description, icon, category, builtIn }: Row) {
  return builtIn ? { enabled } : { enabled, name, description, icon, category }
}
