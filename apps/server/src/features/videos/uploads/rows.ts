import { join } from 'node:path'
import { and, asc, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { video, videoUpload, type VideoUploadRow } from '../table.ts'

const FOLDER = 'uploads'
const OPEN_MAX = 200

/** The folder in the data folder where uploads wait for their rest. */
export function uploadsFolder({ settings }: Pick<Deps, 'settings'>): string {
  return join(settings.dataDir, FOLDER)
}

/** One upload among all that there were of its video: a video may be sent anew. */
export type UploadIdentity = Pick<VideoUploadRow, 'id' | 'createdAt'>

/** The condition of this very upload, and of none before or after it. */
export function isUpload({ id, createdAt }: UploadIdentity) {
  return and(eq(videoUpload.id, id), eq(videoUpload.createdAt, createdAt))
}

/** The name of an upload's file: its video's id and when it began, so that nobody takes an earlier one's bytes for its own. */
export function uploadName({ id, createdAt }: UploadIdentity): string {
  return `${z.uuid().parse(id)}_${createdAt.getTime()}`
}

const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(\d{13})$/

/** The upload that a file in the folder is of; undefined where it is of none. */
export function uploadNamed(name: string): UploadIdentity | undefined {
  const [, id, began] = NAME.exec(name) ?? []
  return id === undefined ? undefined : { id, createdAt: new Date(Number(began)) }
}

/** Where the bytes of an upload lie. */
export function uploadPath(deps: Pick<Deps, 'settings'>, upload: UploadIdentity): string {
  return join(uploadsFolder(deps), uploadName(upload))
}

/** An upload of this person's; anybody else's is as good as none. */
export async function findUpload(tx: Tx, id: string, ownerId: string): Promise<VideoUploadRow> {
  const known = z.uuid().safeParse(id).success
  const [row] = known
    ? await tx
        .select()
        .from(videoUpload)
        .where(and(eq(videoUpload.id, id), eq(videoUpload.ownerId, ownerId)))
    : []
  if (!row) throw new AppError('record.not_found')
  return row
}

/** What this person began to upload and has not ended, the oldest first; of some keys also what has become a video. */
export async function openUploads(
  tx: Tx,
  ownerId: string,
  keys: readonly string[] = [],
): Promise<{ upload: VideoUploadRow; title: string }[]> {
  const isOpen = isNull(videoUpload.receivedAt)
  const isWanted = and(
    inArray(videoUpload.key, [...keys]),
    isNull(video.deletedAt),
    ne(video.status, 'failed'),
  )
  return tx
    .select({ upload: videoUpload, title: video.title })
    .from(videoUpload)
    .innerJoin(video, eq(video.id, videoUpload.id))
    .where(and(eq(videoUpload.ownerId, ownerId), or(isOpen, isWanted)))
    .orderBy(asc(videoUpload.createdAt))
    .limit(OPEN_MAX)
}

/** Uploads that nobody went on with since then. */
export function staleUploads(tx: Tx, since: Date): Promise<VideoUploadRow[]> {
  return tx
    .select()
    .from(videoUpload)
    .where(and(lt(videoUpload.touchedAt, since), isNull(videoUpload.receivedAt)))
    .orderBy(asc(videoUpload.touchedAt))
    .limit(500)
}

const sumRow = z.object({ bytes: z.coerce.number() })

/**
 * How many bytes somebody's videos take, those on their way counted whole, whoever sends them, and the files that they gave
 * to pages lately. What is stored once for several counts for each.
 */
export async function storageUsed(tx: Tx, ownerId: string | null): Promise<number> {
  const { rows } = await tx.execute(sql`
    select coalesce((select sum(size) from file where owner_id = ${ownerId} and purpose = 'video'), 0)
      + coalesce((select sum(size) from file where owner_id = ${ownerId} and purpose = 'page'), 0)
      + coalesce((select sum(u.size) from video_upload u join video v on v.id = u.id
          where v.owner_id = ${ownerId} and u.finished_at is null), 0) as bytes`)
  return sumRow.parse(rows[0]).bytes
}
