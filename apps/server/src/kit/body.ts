import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from './app-error.ts'

/** Bodies up to this stay in memory; larger ones go to a file. */
const IN_MEMORY = 256 * 1024
/** The folder in the data folder where larger ones wait. */
export const INCOMING = 'incoming'

/** The whole body of a raw call, received before the transaction begins. */
export interface ReceivedBody {
  readonly size: number
  readonly sha256: string
  bytes(): Promise<Uint8Array>
  stream(): AsyncIterable<Uint8Array>
  /** Moves the bytes to a place of their own, on disk for good; the folder is made when missing. */
  saveAs(path: string): Promise<void>
}

/** A body that was received; `discard` clears away what nobody saved. */
export interface HeldBody extends ReceivedBody {
  discard(): Promise<void>
}

const EMPTY_HASH = createHash('sha256').digest('hex')

/** The body of a call that has none. */
export const NO_BODY: HeldBody = {
  size: 0,
  sha256: EMPTY_HASH,
  bytes: () => Promise.resolve(new Uint8Array()),
  async *stream() {},
  saveAs: (path) => saveBytes(path, new Uint8Array()),
  discard: () => Promise.resolve(),
}

/** Receives a body of `maxBytes` at most, counting and hashing as it comes. */
export async function receive(
  source: Readable,
  options: { maxBytes: number; folder: string },
): Promise<HeldBody> {
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  let size = 0
  let file: { path: string; handle: FileHandle } | undefined
  try {
    for await (const chunk of source) {
      const bytes: Buffer = Buffer.from(chunk)
      size += bytes.length
      if (size > options.maxBytes) throw new AppError('request.too_large', { maxBytes: options.maxBytes })
      hash.update(bytes)
      if (!file && size > IN_MEMORY) {
        file = await openFile(options.folder)
        await file.handle.writeFile(Buffer.concat(chunks))
        chunks.length = 0
      }
      if (file) await file.handle.writeFile(bytes)
      else chunks.push(bytes)
    }
    await file?.handle.close()
  } catch (error) {
    if (file) {
      // A file that could not be written to its end may not be closed without a complaint either; it goes in any case.
      await file.handle.close().catch(() => {})
      await rm(file.path, { force: true })
    }
    throw error
  }
  const sha256 = hash.digest('hex')
  return file ? fileBody(file.path, size, sha256) : memoryBody(Buffer.concat(chunks), sha256)
}

async function openFile(folder: string) {
  await mkdir(folder, { recursive: true })
  const path = join(folder, randomUUID())
  return { path, handle: await open(path, 'wx', 0o600) }
}

function memoryBody(bytes: Buffer, sha256: string): HeldBody {
  return {
    size: bytes.length,
    sha256,
    bytes: () => Promise.resolve(bytes),
    async *stream() {
      yield bytes
    },
    saveAs: (path) => saveBytes(path, bytes),
    discard: () => Promise.resolve(),
  }
}

function fileBody(path: string, size: number, sha256: string): HeldBody {
  return {
    size,
    sha256,
    bytes: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of createReadStream(path)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    stream: () => createReadStream(path),
    saveAs: async (target) => {
      await mkdir(dirname(target), { recursive: true })
      await flush(path)
      await rename(path, target)
      await flush(dirname(target))
    },
    discard: () => rm(path, { force: true }),
  }
}

async function saveBytes(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, bytes, { mode: 0o600, flush: true })
  await rename(temporary, path)
  await flush(dirname(path))
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
