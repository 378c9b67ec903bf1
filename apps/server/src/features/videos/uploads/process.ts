import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { and, eq, isNull } from 'drizzle-orm'
import { VIDEO_TYPES } from '@weft/contract/videos/api'
import type { VideoContainer, VideoFailure } from '@weft/contract/videos/schema'
import { videoMachine } from '@weft/contract/videos/states'
import type { Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { fileStoreOf } from '../../../kit/file-store.ts'
import { stateAllows } from '../../../kit/machine-sql.ts'
import { newId } from '../../../kit/record.ts'
import { systemActor, transact } from '../../../kit/work.ts'
import { file } from '../../files/table.ts'
import { probeFile } from '../probe/probe.ts'
import type { VideoFacts } from '../probe/source.ts'
import { video, videoUpload, type VideoUploadRow } from '../table.ts'
import { isUpload, uploadPath } from './rows.ts'
import { moveVideo, receivedBytes } from './settle.ts'

/** The content type of each container. */
export const TYPE_OF: Readonly<Record<VideoContainer, (typeof VIDEO_TYPES)[number]>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
}

const ACTOR = systemActor('videos.process')

/**
 * Makes an upload that is whole into a stored file: its hash is written down, then the bytes are moved to their place under
 * it, then one transaction names them and makes the video ready. Killed between any two of these and done again, it
 * comes to the same end.
 */
export async function processUpload(deps: Deps, id: string): Promise<void> {
  try {
    await process(deps, id)
  } catch (error) {
    // Somebody else was at it too, and has moved the file away from under our eyes.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    await process(deps, id)
  }
}

async function process(deps: Deps, id: string): Promise<void> {
  const [upload] = await deps.db
    .select()
    .from(videoUpload)
    .where(and(eq(videoUpload.id, id), isNull(videoUpload.finishedAt)))
  if (!upload || upload.receivedAt === null) return
  const path = uploadPath(deps, upload)
  const store = fileStoreOf(deps)
  // What is not whole here has been moved on already, or is none of ours.
  if ((await receivedBytes(deps, upload)) !== upload.size) {
    const stored = upload.sha256 !== null && (await store.has(upload.sha256)) !== undefined
    if (!stored || upload.sha256 === null) return refuse(deps, upload, 'unreadable')
    return accept(deps, upload, upload.sha256, await probeFile(store.pathOf(upload.sha256)))
  }
  const sha256 = await hashOf(path)
  if (upload.promisedSha256 !== null && upload.promisedSha256 !== sha256)
    return refuse(deps, upload, 'wrong_checksum')
  const facts = await probeFile(path)
  if (!facts) return refuse(deps, upload, 'not_a_video')
  await deps.db.update(videoUpload).set({ sha256 }).where(isUpload(upload))
  await store.adopt(path, sha256)
  return accept(deps, upload, sha256, facts)
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 512 * 1024 }), hash)
  return hash.digest('hex')
}

async function accept(
  deps: Deps,
  upload: VideoUploadRow,
  sha256: string,
  facts: VideoFacts | undefined,
): Promise<void> {
  if (!facts) return refuse(deps, upload, 'not_a_video')
  await transact(deps, ACTOR, async (work) => {
    if (!(await finished(work.tx, deps, upload))) return
    const [owned] = await work.tx
      .select({ ownerId: video.ownerId })
      .from(video)
      .where(and(eq(video.id, upload.id), stateAllows(videoMachine, 'accept', video.status)))
      .for('update')
    // Somebody moved it on meanwhile: what came is nobody's, and is cleared away with other bytes that no row names.
    if (!owned) return
    const fileId = newId()
    const { container, durationMs, width, height, codec } = facts
    await work.tx.insert(file).values({
      id: fileId,
      ownerId: owned.ownerId,
      createdBy: upload.ownerId,
      name: upload.name,
      size: upload.size,
      contentType: TYPE_OF[container],
      sha256,
      purpose: 'video',
    })
    const made = { fileId, container, durationMs, width, height, codec, failure: null }
    await moveVideo(work, upload.id, 'accept', made)
    work.audit({
      feature: 'videos',
      recordId: upload.id,
      label: 'video.ready',
      after: { name: upload.name, size: upload.size, sha256, container, durationMs, width, height, codec },
    })
  })
}

async function refuse(deps: Deps, upload: VideoUploadRow, failure: VideoFailure): Promise<void> {
  await transact(deps, ACTOR, async (work) => {
    if (!(await finished(work.tx, deps, upload))) return
    work.afterCommit(() => rm(uploadPath(deps, upload), { force: true }))
    if (await moveVideo(work, upload.id, 'refuse', { failure }))
      work.audit({ feature: 'videos', recordId: upload.id, label: 'video.refused', after: { failure } })
  })
}

/** Ends the upload; false where somebody else did. Its row stays a while, to answer a sender who missed the end. */
async function finished(tx: Tx, deps: Deps, upload: VideoUploadRow) {
  const [row] = await tx
    .update(videoUpload)
    .set({ finishedAt: deps.now() })
    .where(and(isUpload(upload), isNull(videoUpload.finishedAt)))
    .returning({ id: videoUpload.id })
  return row !== undefined
}
