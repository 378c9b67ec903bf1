import { rm, stat } from 'node:fs/promises'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { VideoFailure } from '@weft/contract/videos/schema'
import { videoMachine, type VideoEvent } from '@weft/contract/videos/states'
import type { Work } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { stateAfter, stateAllows } from '../../../kit/machine-sql.ts'
import { systemActor, transact } from '../../../kit/work.ts'
import { video, videoUpload, type VideoRow, type VideoUploadRow } from '../table.ts'
import { processVideo } from './jobs.ts'
import { uploadPath } from './rows.ts'

/** How many bytes of an upload are there; 0 where none came yet. */
export async function receivedBytes(deps: Pick<Deps, 'settings'>, id: string): Promise<number> {
  try {
    return (await stat(uploadPath(deps, id))).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}

/** Moves a video along its table of states, together with what changes by it; false where it is not in such a state. */
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

/** All bytes are there: the video is looked at from now on. Saying so again does nothing. */
export async function received(deps: Deps, upload: VideoUploadRow): Promise<void> {
  if (upload.receivedAt !== null) return
  await transact(deps, systemActor('videos.upload'), async (work) => {
    const [first] = await work.tx
      .update(videoUpload)
      .set({ receivedAt: deps.now() })
      .where(and(eq(videoUpload.id, upload.id), isNull(videoUpload.receivedAt)))
      .returning({ id: videoUpload.id })
    if (!first) return
    await moveVideo(work, upload.id, 'receive')
    await work.enqueue(processVideo, { id: upload.id })
  })
}

/** Ends an upload that will never be whole: its bytes go, the video stays as failed. */
export async function giveUp(
  deps: Deps,
  upload: Pick<VideoUploadRow, 'id'>,
  failure: VideoFailure,
  actor = systemActor('videos.uploads'),
): Promise<void> {
  await transact(deps, actor, async (work) => {
    const [gone] = await work.tx
      .delete(videoUpload)
      .where(and(eq(videoUpload.id, upload.id), isNull(videoUpload.receivedAt)))
      .returning({ id: videoUpload.id })
    if (!gone) return
    await moveVideo(work, upload.id, 'abandon', { failure })
    work.audit({ feature: 'videos', recordId: upload.id, label: 'video.upload_end', after: { failure } })
    work.afterCommit(() => rm(uploadPath(deps, upload.id), { force: true }))
  })
}
