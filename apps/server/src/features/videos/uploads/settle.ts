import { rm, stat } from 'node:fs/promises'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { VideoFailure } from '@weft/contract/videos/schema'
import { videoMachine, type VideoEvent } from '@weft/contract/videos/states'
import type { Work } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { stateAfter, stateAllows } from '../../../kit/machine-sql.ts'
import { systemActor, transact, type Actor } from '../../../kit/work.ts'
import { video, videoUpload, type VideoRow, type VideoUploadRow } from '../table.ts'
import { processVideo } from './jobs.ts'
import { isUpload, uploadPath, type UploadIdentity } from './rows.ts'

/** How many bytes of an upload are there; 0 where none came yet. */
export async function receivedBytes(deps: Pick<Deps, 'settings'>, upload: UploadIdentity): Promise<number> {
  try {
    return (await stat(uploadPath(deps, upload))).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}

/** Writes down how much of an upload has arrived, and tells those who look at its video. */
export async function noteArrived(deps: Deps, upload: UploadIdentity, bytes: number): Promise<void> {
  await transact(deps, systemActor('videos.upload'), async (work) => {
    const [noted] = await work.tx
      .update(videoUpload)
      .set({ received: bytes, touchedAt: deps.now() })
      .where(and(isUpload(upload), isNull(videoUpload.receivedAt)))
      .returning({ id: videoUpload.id })
    if (!noted) return
    const [owned] = await work.tx
      .select({ ownerId: video.ownerId })
      .from(video)
      .where(eq(video.id, upload.id))
    if (owned) work.event({ feature: 'videos', id: upload.id, kind: 'progress', ownerId: owned.ownerId })
  })
}

/** Moves a video along its table of states, together with what changes by it; nothing where it is not in such a state. */
export async function moveVideo(
  work: Pick<Work, 'tx' | 'event' | 'audit'>,
  id: string,
  event: VideoEvent,
  changes: Partial<typeof video.$inferInsert> = {},
): Promise<VideoRow | undefined> {
  const [row] = await work.tx
    .update(video)
    .set({
      ...changes,
      status: stateAfter(videoMachine, event, video.status),
      version: sql`${video.version} + 1`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(video.id, id), stateAllows(videoMachine, event, video.status)))
    .returning()
  if (!row) return undefined
  work.event({ feature: 'videos', id, kind: 'updated', ownerId: row.ownerId })
  return row
}

/**
 * All bytes are there: the video is looked at from now on. Saying so again does nothing. False where the video does not
 * wait for them any more, as when it was given another file meanwhile: then they go.
 */
export function received(deps: Deps, upload: VideoUploadRow): Promise<boolean> {
  return transact(deps, systemActor('videos.upload'), async (work) => {
    const [first] = await work.tx
      .update(videoUpload)
      .set({ receivedAt: deps.now() })
      .where(and(isUpload(upload), isNull(videoUpload.receivedAt)))
      .returning({ id: videoUpload.id })
    if (!first) {
      const [known] = await work.tx.select({ id: videoUpload.id }).from(videoUpload).where(isUpload(upload))
      return known !== undefined
    }
    if (await moveVideo(work, upload.id, 'receive')) {
      await lookAt(work, upload.id)
      return true
    }
    await work.tx.delete(videoUpload).where(isUpload(upload))
    work.afterCommit(() => rm(uploadPath(deps, upload), { force: true }))
    return false
  })
}

/** Has somebody look at a video whose bytes are all there; where that waits to be done already, once. */
export function lookAt(work: Pick<Work, 'enqueue'>, id: string): Promise<void> {
  return work.enqueue(processVideo, { id }, { singletonKey: id })
}

/**
 * Ends an upload that will never be whole: its bytes go, the video stays as failed. With `since` only where nobody has
 * gone on with it from then on.
 */
export async function giveUp(
  deps: Deps,
  upload: UploadIdentity,
  failure: VideoFailure,
  { actor = systemActor('videos.uploads'), since }: { actor?: Actor; since?: Date } = {},
): Promise<void> {
  await transact(deps, actor, async (work) => {
    const untouched = since && lt(videoUpload.touchedAt, since)
    const [gone] = await work.tx
      .delete(videoUpload)
      .where(and(isUpload(upload), isNull(videoUpload.receivedAt), untouched))
      .returning({ id: videoUpload.id })
    if (!gone) return
    await moveVideo(work, upload.id, 'abandon', { failure })
    work.audit({ feature: 'videos', recordId: upload.id, label: 'video.upload_end', after: { failure } })
    work.afterCommit(() => rm(uploadPath(deps, upload), { force: true }))
  })
}
