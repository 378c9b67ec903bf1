import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { profiles } from '@weft/contract/profiles/api'
import type { snapshotSchema } from '@weft/contract/profiles/snapshots'
import { AppError } from '../../../kit/app-error.ts'
import type { CallContext } from '../../../kit/context.ts'
import type { Implementation } from '../../../kit/implement.ts'
import { findRecord, iso } from '../../../kit/record.ts'
import { scopeColumns, sourceOf } from '../../../kit/resource/definition.ts'
import { account } from '../../accounts/table.ts'
import { file } from '../../files/table.ts'
import { profileResource } from '../resource.ts'
import { profile } from '../table.ts'
import { profileSnapshot } from './table.ts'

type Calls = Pick<Implementation<typeof profiles>, 'snapshots' | 'useSnapshot' | 'pinSnapshot'>
type View = z.input<typeof snapshotSchema>

const MAX = 1000

/** What is kept of a profile's sessions, and going back to an earlier one. */
export const snapshotHandlers: Calls = {
  async snapshots(ctx, { id }) {
    await findRecord(ctx, sourceOf(profileResource), id)
    return snapshotsOf(ctx, id)
  },

  async useSnapshot(ctx, { id, snapshot }) {
    const row = await findRecord(ctx, sourceOf(profileResource), id, 'UPDATE', { lock: true })
    const wanted = await findSnapshot(ctx, id, snapshot)
    // A run that holds the profile would put its own in place at its end.
    const { rows: held } = await ctx.tx.execute(
      sql`select 1 from resource_lease where kind = 'profile' and resource_id = ${id} limit 1`,
    )
    if (held.length > 0) throw new AppError('record.in_use')
    if (wanted.replacedAt !== null) {
      await ctx.tx.execute(sql`
        update profile_session p set file_id = s.file_id, username = s.username, saved_at = s.saved_at, expires_at = s.expires_at
        from profile_snapshot s where s.id = ${snapshot} and p.profile_id = s.profile_id
          and p.account_id is not distinct from s.account_id`)
      await ctx.tx
        .update(profile)
        .set({ status: 'ready', version: sql`${profile.version} + 1`, updatedAt: sql`now()` })
        .where(eq(profile.id, id))
      ctx.audit({ feature: 'profiles', recordId: id, after: told(wanted) })
      ctx.event({ feature: 'profiles', id, kind: 'updated', ownerId: row.ownerId })
    }
    return snapshotsOf(ctx, id)
  },

  async pinSnapshot(ctx, { id, snapshot, pinned }) {
    const row = await findRecord(ctx, sourceOf(profileResource), id, 'UPDATE', { lock: true })
    const wanted = await findSnapshot(ctx, id, snapshot)
    const { accountId } = wanted
    // One at most of each account is pinned.
    await ctx.tx
      .update(profileSnapshot)
      .set({ pinned: false })
      .where(
        and(
          eq(profileSnapshot.profileId, id),
          accountId === null ? isNull(profileSnapshot.accountId) : eq(profileSnapshot.accountId, accountId),
          profileSnapshot.pinned,
        ),
      )
    if (pinned) await ctx.tx.update(profileSnapshot).set({ pinned }).where(eq(profileSnapshot.id, snapshot))
    await ctx.tx.execute(sql`select profile_snapshot_prune(${id}, ${accountId})`)
    ctx.audit({
      feature: 'profiles',
      recordId: id,
      before: { pinned: wanted.pinned },
      after: { pinned, ...told(wanted) },
    })
    ctx.event({ feature: 'profiles', id, kind: 'updated', ownerId: row.ownerId })
    return snapshotsOf(ctx, id)
  },
}

type Row = typeof profileSnapshot.$inferSelect

const told = ({ accountId, savedAt }: Row) => ({ accountId, savedAt: savedAt.toISOString() })

async function findSnapshot({ tx }: CallContext, profileId: string, id: string): Promise<Row> {
  const [row] = await tx
    .select()
    .from(profileSnapshot)
    .where(and(eq(profileSnapshot.id, id), eq(profileSnapshot.profileId, profileId)))
  if (!row) throw new AppError('record.not_found')
  return row
}

async function snapshotsOf({ tx, scope }: CallContext, profileId: string): Promise<View[]> {
  const rows = await tx
    .select({ snapshot: profileSnapshot, size: file.size, runId: file.runId, accountName: account.username })
    .from(profileSnapshot)
    .innerJoin(file, eq(file.id, profileSnapshot.fileId))
    .leftJoin(
      account,
      and(eq(account.id, profileSnapshot.accountId), scope('VIEW', 'ACCOUNT', scopeColumns(account))),
    )
    .where(eq(profileSnapshot.profileId, profileId))
    .orderBy(
      asc(account.username),
      asc(profileSnapshot.accountId),
      sql`${profileSnapshot.replacedAt} desc nulls first`,
      desc(profileSnapshot.savedAt),
    )
    .limit(MAX)
  return rows.map(({ snapshot, size, runId, accountName }) => ({
    id: snapshot.id,
    accountId: snapshot.accountId,
    accountName,
    size,
    savedAt: snapshot.savedAt.toISOString(),
    expiresAt: iso(snapshot.expiresAt),
    runId,
    current: snapshot.replacedAt === null,
    pinned: snapshot.pinned,
  }))
}
