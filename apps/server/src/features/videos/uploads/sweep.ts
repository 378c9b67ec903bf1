import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Deps } from '../../../kit/deps.ts'
import { systemActor, transact } from '../../../kit/work.ts'
import { video, videoUpload } from '../table.ts'
import { staleUploads, uploadName, uploadNamed, uploadsFolder } from './rows.ts'
import { giveUp, lookAt, moveVideo, received, receivedBytes } from './settle.ts'

const HOUR_MS = 3_600_000
const ACTOR = systemActor('videos.sweep')
/** How long an upload that ended answers a sender who missed the end. */
const ANSWERS_FOR_MS = 24 * HOUR_MS

/** Ends uploads that nobody went on with, forgets those that ended long ago, and clears bytes that belong to none. */
export async function sweep(deps: Deps): Promise<void> {
  const now = deps.now().getTime()
  const { videoUploadHours } = await deps.system.all()
  const tooOld = new Date(now - videoUploadHours * HOUR_MS)
  for (const upload of await staleUploads(deps.db, tooOld)) {
    // Whole, and nobody was told: a server was killed just then.
    if ((await receivedBytes(deps, upload)) >= upload.size) await received(deps, upload)
    else await giveUp(deps, upload, 'abandoned', { since: tooOld })
  }
  await lookAtWaiting(deps)
  await refuseStuck(deps)
  await deps.db.delete(videoUpload).where(lt(videoUpload.finishedAt, new Date(now - ANSWERS_FOR_MS)))
  await clearOrphans(deps, tooOld)
}

async function clearOrphans(deps: Deps, tooOld: Date): Promise<void> {
  const folder = uploadsFolder(deps)
  const names = await readdir(folder)
  const old: string[] = []
  for (const name of names) {
    const known = await stat(join(folder, name)).catch(() => undefined)
    if (known && known.mtime < tooOld) old.push(name)
  }
  const ids = old.flatMap((name) => uploadNamed(name)?.id ?? [])
  const rows = await deps.db
    .select({ id: videoUpload.id, createdAt: videoUpload.createdAt })
    .from(videoUpload)
    .where(and(isNull(videoUpload.finishedAt), inArray(videoUpload.id, ids)))
  const needed = new Set(rows.map(uploadName))
  for (const name of old) if (!needed.has(name)) await rm(join(folder, name), { force: true })
}

/** After a start: uploads whose last bytes came, or that were being looked at, when a server was killed. */
export async function goOn(deps: Deps): Promise<void> {
  const open = await deps.db
    .select()
    .from(videoUpload)
    .where(isNull(videoUpload.receivedAt))
    .orderBy(videoUpload.touchedAt)
    .limit(1000)
  for (const upload of open)
    if ((await receivedBytes(deps, upload)) >= upload.size) await received(deps, upload)
  await lookAtWaiting(deps)
}

/** Has those looked at whose bytes are all there and that nobody came to an end with. */
async function lookAtWaiting(deps: Deps): Promise<void> {
  const waiting = await deps.db
    .select({ id: videoUpload.id })
    .from(videoUpload)
    .where(and(isNotNull(videoUpload.receivedAt), isNull(videoUpload.finishedAt)))
    .orderBy(videoUpload.touchedAt)
    .limit(1000)
  await transact(deps, ACTOR, async (work) => {
    for (const { id } of waiting) await lookAt(work, id)
  })
}

/** Videos that are said to be looked at, of which no upload is left to look at. */
async function refuseStuck(deps: Deps): Promise<void> {
  await transact(deps, ACTOR, async (work) => {
    const stuck = await work.tx
      .select({ id: video.id })
      .from(video)
      .where(
        and(
          eq(video.status, 'processing'),
          isNull(video.deletedAt),
          sql`not exists (select 1 from video_upload u where u.id = ${video.id} and u.finished_at is null)`,
        ),
      )
      .limit(100)
    for (const { id } of stuck) {
      const failure = 'unreadable'
      if (await moveVideo(work, id, 'refuse', { failure }))
        work.audit({ feature: 'videos', recordId: id, label: 'video.refused', after: { failure } })
    }
  })
}
