import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Deps } from '../../../kit/deps.ts'
import { videoUpload } from '../table.ts'
import { processVideo } from './jobs.ts'
import { staleUploads, uploadsFolder } from './rows.ts'
import { giveUp, received, receivedBytes } from './settle.ts'

const HOUR_MS = 3_600_000
/** How long an upload that ended answers a sender who missed the end. */
const ANSWERS_FOR_MS = 24 * HOUR_MS

/** Ends uploads that nobody went on with, forgets those that ended long ago, and clears bytes that belong to none. */
export async function sweep(deps: Deps): Promise<void> {
  const now = deps.now().getTime()
  const { videoUploadHours } = await deps.system.all()
  const tooOld = new Date(now - videoUploadHours * HOUR_MS)
  for (const upload of await staleUploads(deps.db, tooOld)) {
    // Whole, and nobody was told: a server was killed just then.
    if ((await receivedBytes(deps, upload.id)) >= upload.size) await received(deps, upload)
    else await giveUp(deps, upload, 'abandoned')
  }
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
  const rows = await deps.db
    .select({ id: videoUpload.id })
    .from(videoUpload)
    .where(and(isNull(videoUpload.finishedAt), inArray(videoUpload.id, old.filter(isId))))
  const needed = new Set(rows.map(({ id }) => id))
  for (const name of old) if (!needed.has(name)) await rm(join(folder, name), { force: true })
}

const isId = (name: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)

/** After a start: uploads whose last bytes came, or that were being looked at, when a server was killed. */
export async function goOn(deps: Deps): Promise<void> {
  const open = await deps.db
    .select()
    .from(videoUpload)
    .where(isNull(videoUpload.receivedAt))
    .orderBy(videoUpload.touchedAt)
    .limit(1000)
  for (const upload of open)
    if ((await receivedBytes(deps, upload.id)) >= upload.size) await received(deps, upload)
  const waiting = await deps.db
    .select({ id: videoUpload.id })
    .from(videoUpload)
    .where(and(isNotNull(videoUpload.receivedAt), isNull(videoUpload.finishedAt)))
    .limit(1000)
  await deps.db.transaction((tx) =>
    deps.jobs.enqueueAll(
      tx,
      processVideo,
      waiting.map(({ id }) => ({ id })),
    ),
  )
}
