import { rm, statfs } from 'node:fs/promises'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { videos } from '@weft/contract/videos/api'
import type { uploadMetadata } from '@weft/contract/videos/schema'
import { AppError } from '../../../kit/app-error.ts'
import type { CallContext, Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { findRecord } from '../../../kit/record.ts'
import { createRecord } from '../../../kit/resource/change.ts'
import { sourceOf } from '../../../kit/resource/definition.ts'
import { videoResource } from '../resource.ts'
import { video, videoUpload, type VideoUploadRow } from '../table.ts'
import { storageUsed, uploadPath } from './rows.ts'
import { moveVideo, receivedBytes } from './settle.ts'

/** What is left on the disk for everything else. */
const DISK_RESERVE_BYTES = 512 * 1024 * 1024
const MEGABYTE = 1_000_000
const GIGABYTE = 1000 * MEGABYTE

/** What a sender says of a file before it comes. */
export interface Announced extends z.output<typeof uploadMetadata> {
  size: number
}

/** How much may be uploaded: the largest file, and all videos of one person together. */
export async function uploadLimits({ system }: Pick<Deps, 'system'>) {
  const { videoMaxMegabytes, videoStorageGigabytes } = await system.all()
  return { maxBytes: videoMaxMegabytes * MEGABYTE, limitBytes: videoStorageGigabytes * GIGABYTE }
}

/** Refuses a file that is larger than is taken, or than the disk has room for beside what is still to come of others. */
async function checkSize(tx: Tx, deps: Pick<Deps, 'system' | 'settings'>, size: number): Promise<void> {
  const { maxBytes } = await uploadLimits(deps)
  if (size > maxBytes) throw new AppError('video.too_large', { megabytes: Math.floor(maxBytes / MEGABYTE) })
  const disk = await statfs(deps.settings.dataDir)
  const free = disk.bavail * disk.bsize - DISK_RESERVE_BYTES - size
  if (free < 0 || free < (await stillToCome(tx, deps))) throw new AppError('video.disk_full')
}

/** How many bytes the uploads under way have yet to bring. */
async function stillToCome(tx: Tx, deps: Pick<Deps, 'settings'>): Promise<number> {
  const open = await tx
    .select({ id: videoUpload.id, createdAt: videoUpload.createdAt, size: videoUpload.size })
    .from(videoUpload)
    .where(isNull(videoUpload.receivedAt))
  const left = await Promise.all(
    open.map(async (upload) => Math.max(0, upload.size - (await receivedBytes(deps, upload)))),
  )
  return left.reduce((sum, bytes) => sum + bytes, 0)
}

/** Refuses a video, or a file for a page, that would pass somebody's limit. One after the other, so that together they do not pass it either. */
export async function checkStorage(
  { tx }: Pick<CallContext, 'tx'>,
  deps: Pick<Deps, 'system'>,
  ownerId: string | null,
  size: number,
  what: 'video' | 'file',
): Promise<void> {
  await inTurn(tx)
  const { limitBytes } = await uploadLimits(deps)
  if ((await storageUsed(tx, ownerId)) + size > limitBytes)
    throw new AppError(`${what}.no_storage`, { gigabytes: Math.floor(limitBytes / GIGABYTE) })
}

/** Uploads begin one after the other, so that together they pass neither a limit nor what the disk holds. */
async function inTurn(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('uploads', 0))`)
}

/**
 * Writes down that an upload begins: a new video that waits for its bytes, or one that waited already. Beginning the same
 * one again, by the sender's key, gives the one that was begun.
 */
export async function beginUpload(
  ctx: CallContext,
  deps: Pick<Deps, 'system' | 'secrets' | 'settings'>,
  given: Announced,
): Promise<{ upload: VideoUploadRow; known: boolean }> {
  await inTurn(ctx.tx)
  const earlier = given.key === undefined ? undefined : await byKey(ctx, given.key)
  if (earlier && earlier.size !== given.size) throw new AppError('video.wrong_size')
  const again = earlier ? await begunAgain(ctx, earlier) : { into: given.videoId }
  if (earlier && again === 'known') return { upload: earlier, known: true }
  const into = again === 'known' ? undefined : again.into
  await checkSize(ctx.tx, deps, given.size)
  const id = into === undefined ? await newVideo(ctx, deps, given) : await waiting(ctx, deps, into)
  // Its owner need not be the sender.
  const [owned] = await ctx.tx.select({ ownerId: video.ownerId }).from(video).where(eq(video.id, id))
  await checkStorage(ctx, deps, owned?.ownerId ?? null, given.size, 'video')
  const [upload] = await ctx.tx
    .insert(videoUpload)
    .values({
      id,
      ownerId: ctx.user.id,
      key: given.key ?? id,
      name: fileName(given.filename),
      size: given.size,
      promisedSha256: given.sha256 ?? null,
    })
    .returning()
  if (!upload) throw new Error('the upload was not written down')
  ctx.audit({
    feature: 'videos',
    recordId: id,
    label: 'video.upload',
    after: { name: upload.name, size: upload.size },
  })
  return { upload, known: false }
}

async function byKey(ctx: CallContext, key: string): Promise<VideoUploadRow | undefined> {
  const [row] = await ctx.tx
    .select()
    .from(videoUpload)
    .where(and(eq(videoUpload.ownerId, ctx.user.id), eq(videoUpload.key, key)))
  return row
}

/**
 * What becomes of an upload that is begun a second time: it is known as long as it goes on or has become a video. Where it
 * failed, the same video takes the file again; where that was thrown away, there is to be a new one.
 */
async function begunAgain(
  ctx: CallContext,
  earlier: VideoUploadRow,
): Promise<'known' | { into: string | undefined }> {
  const [row] = await ctx.tx
    .select({ status: video.status, deletedAt: video.deletedAt })
    .from(video)
    .where(eq(video.id, earlier.id))
  const thrownAway = row?.deletedAt !== null
  if (!thrownAway && row?.status !== 'failed') return 'known'
  if (!thrownAway) return { into: earlier.id }
  await ctx.tx.delete(videoUpload).where(eq(videoUpload.id, earlier.id))
  return { into: undefined }
}

async function newVideo(
  ctx: CallContext,
  { secrets }: Pick<Deps, 'secrets'>,
  given: Announced,
): Promise<string> {
  const input: z.output<typeof videos.create.input> = {
    title: given.title ?? titleOf(given.filename),
    description: '',
    channelName: given.channelName ?? null,
    rights: '',
    rightsSource: null,
    licence: null,
    rightsUntil: null,
    tags: [],
    notes: '',
    fileId: null,
  }
  return (await createRecord(ctx, secrets, videoResource, input)).id
}

/** A video that can take bytes now; an upload of it that is under way is given up for the new one. */
async function waiting(ctx: CallContext, deps: Pick<Deps, 'settings'>, id: string): Promise<string> {
  const row = await findRecord(ctx, sourceOf(videoResource), id, 'UPDATE', { lock: true })
  const moved = await moveVideo(ctx, id, 'upload', { failure: null })
  if (!moved) throw new AppError('record.wrong_state', { state: row.status })
  const before = await ctx.tx.delete(videoUpload).where(eq(videoUpload.id, id)).returning()
  for (const upload of before) ctx.afterCommit(() => rm(uploadPath(deps, upload), { force: true }))
  return id
}

/** A file's own name: what stands before the last slash is the sender's business, and signs that nobody sees are left out. */
export function fileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  return clean(last).slice(0, 255) || 'video'
}

/** A title to begin with: the file's name without its ending. */
export function titleOf(given: string): string {
  const name = fileName(given)
  return (
    name
      .replace(/\.\w{1,5}$/, '')
      .replaceAll('_', ' ')
      .trim()
      .slice(0, 200) || name
  )
}

const clean = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()
