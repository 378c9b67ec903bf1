import { randomUUID } from 'node:crypto'
import { mkdir, rename, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { FileRef } from '@weft/workflow/catalogue/activity'
import { StepError } from '@weft/workflow/errors'
import type { Json } from '@weft/workflow/json'
import { z } from 'zod'
import type { Channel } from './channel.ts'
import type { Masker } from './mask.ts'

const MEDIA_TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.txt': 'text/plain',
  '.zip': 'application/zip',
}

const storedSchema = z.object({ path: z.string(), name: z.string() })
const uuid = z.uuid()

/** A file on this machine's disk, as a page may be given it. */
export interface LocalFile {
  path: string
  name: string
}

/** What the files of a run need. */
export interface RunFilesOptions {
  folder: string
  channel: Pick<Channel, 'file' | 'request'>
  masker: Masker
  /** No file that the run makes may be larger. */
  maxBytes: number
  /** Once it has fetched so much from the server, it fetches no more; a single file may go beyond it. */
  fetchMaxBytes: number
}

/** A new file that a step made. */
export interface NewFile {
  /** Its place in the run's folder, as `newPath` gave it. */
  path: string
  kind: 'screenshot' | 'trace' | 'download'
  name: string
  stepId: string
  /** The step's whole path. */
  at: string
}

/** The media type that a name tells. */
export function mediaTypeOf(name: string): string {
  return MEDIA_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream'
}

/**
 * The files of one run. What a step makes or a page gives lies in the run's own folder under a name of ours, is never
 * opened or executed here, and goes to the server. What a page is given comes from the server or from such a file.
 */
export class RunFiles {
  readonly #folder: string
  readonly #channel: Pick<Channel, 'file' | 'request'>
  readonly #masker: Masker
  readonly #maxBytes: number
  readonly #fetchMaxBytes: number
  readonly #made = new Map<string, LocalFile>()
  /** What was fetched, or is just now: whoever wants the same meanwhile waits for it too. */
  readonly #fetched = new Map<string, Promise<LocalFile>>()
  #fetchedBytes = 0

  constructor(options: RunFilesOptions) {
    this.#folder = join(options.folder, 'files')
    this.#channel = options.channel
    this.#masker = options.masker
    this.#maxBytes = options.maxBytes
    this.#fetchMaxBytes = options.fetchMaxBytes
  }

  get maxBytes(): number {
    return this.#maxBytes
  }

  /** A place for a new file. */
  newPath(extension: string): string {
    return join(this.#folder, `${randomUUID()}${extension}`)
  }

  /** Hands a new file over to be uploaded, and names it for later steps. */
  async add({ path, kind, name, stepId, at }: NewFile): Promise<FileRef> {
    const { size } = await stat(path)
    if (size > this.#maxBytes)
      throw new StepError('TooLarge', `The file has more than ${this.#maxBytes} bytes.`, {
        params: { max: this.#maxBytes },
      })
    const file = basename(path)
    const safeName = safe(this.#masker.text(name))
    const mediaType = mediaTypeOf(safeName)
    this.#made.set(file, { path, name: safeName })
    this.#channel.file({
      file: `files/${file}`,
      kind,
      name: safeName,
      contentType: mediaType,
      at: new Date().toISOString(),
      path: at,
      stepId,
    })
    return { ref: `run:${file}`, name: safeName, mediaType, size }
  }

  /** The file that a value of a workflow means: one that the run made, or one that the server keeps. */
  async resolve(value: Json): Promise<LocalFile> {
    const ref = refOf(value)
    const made = ref?.startsWith('run:') === true ? this.#made.get(ref.slice(4)) : undefined
    if (made) return made
    const id = uuid.safeParse(ref?.replace(/^stored:/, ''))
    if (!id.success)
      throw new StepError(
        'InputInvalid',
        'This is not a file of the run. Use item.video.file, a stored file or steps.….file.',
      )
    return this.#fetch(id.data)
  }

  async #fetch(fileId: string): Promise<LocalFile> {
    const known = this.#fetched.get(fileId)
    if (known) return known
    if (this.#fetchedBytes >= this.#fetchMaxBytes)
      throw new StepError(
        'TooLarge',
        `The run has fetched ${this.#fetchedBytes} bytes of files, and may fetch no more.`,
        { params: { max: this.#fetchMaxBytes }, effect: 'none' },
      )
    const fetching = this.#bring(fileId)
    this.#fetched.set(fileId, fetching)
    try {
      return await fetching
    } catch (error) {
      // It may be there the next time.
      this.#fetched.delete(fileId)
      throw error
    }
  }

  async #bring(fileId: string): Promise<LocalFile> {
    const stored = storedSchema.parse(await this.#channel.request({ kind: 'inputFile', fileId }))
    this.#fetchedBytes += (await stat(stored.path)).size
    // Pages see a file's name: it gets its own back, in a folder of its own.
    const folder = join(this.#folder, `in-${fileId}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const local = { path: join(folder, safe(stored.name)), name: stored.name }
    await rename(stored.path, local.path)
    return local
  }
}

function refOf(value: Json): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const { ref, id, fileId } = value
  return [ref, fileId, id].find((candidate) => typeof candidate === 'string')
}

/** A name that is only a name. */
function safe(name: string): string {
  const plain = basename(name.replaceAll('\\', '/'))
    .replaceAll(/[\p{Cc}<>:"|?*]/gu, '_')
    .trim()
  const short = plain.length > 150 ? `${plain.slice(0, 130)}${extname(plain).slice(0, 20)}` : plain
  return short === '' || short === '.' || short === '..' ? 'file' : short
}
