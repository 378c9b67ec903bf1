import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../db/connection.ts'
import { AppError } from '../../kit/app-error.ts'
import { activitySetting } from './table.ts'

/** The activities that are switched off: types of the catalogue and ids of custom ones. */
export async function switchedOff(tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await tx
    .select({ activity: activitySetting.activity })
    .from(activitySetting)
    .where(eq(activitySetting.enabled, false))
  return new Set(rows.map(({ activity }) => activity))
}

const blocker = z.object({ activity: z.string().nullable() })

/** The activity that is switched off and that keeps runs of a release from beginning; null where there is none. */
export async function heldBackBy(tx: Tx, workflowId: string, release: number): Promise<string | null> {
  const result = await tx.execute(sql`select held_back_by(${workflowId}::uuid, ${release}::int) as activity`)
  return blocker.parse(result.rows[0]).activity
}

/** Refuses new runs of a release that comes to an activity which is switched off. */
export async function refuseHeldBack(tx: Tx, workflowId: string, release: number): Promise<void> {
  const activity = await heldBackBy(tx, workflowId, release)
  if (activity !== null) throw new AppError('activity.disabled', { activity })
}
