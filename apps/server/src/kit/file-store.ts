import { createHash, randomUUIDv7 } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/** Why the store did not take bytes. `range` and `wrong_hash` leave the upload to begin again at `have`. */
export class FileStoreError extends Error {
  override name = 'FileStoreError'
  readonly reason: 'too_large' | 'range' | 'wrong_hash'
  /** Bytes that the store holds of this upload. */
  readonly have: number

  constructor(reason: 'too_large' | 'range' | 'wrong_hash', message: string, have = 0) {
    super(message)
    this.reason = reason
    this.have = have
  }
}

/** Bytes of a file, first and last included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Where files' bytes live, each named by its SHA-256. What it holds under a hash has that hash and never changes. Rows of
 * the table `file` refer to it; bytes that no row refers to are cleared away after a day.
 */
export interface FileStore {
  /** The size of a whole file, or undefined where it is not there. Asking keeps it from being cleared for another day. */
  has(sha256: string): Promise<number | undefined>
  /** Stores a stream whose hash is not known before. */
  put(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<{ sha256: string; size: number }>
  /**
   * Takes over a file of the same disk, whose hash the caller has just worked out: it is moved, not copied. Where the same
   * bytes are there already, it only goes. Repeating it does no harm.
   */
  adopt(path: string, sha256: string): Promise<void>
  /** Where the bytes of a hash lie, for readers that jump about in them. Whoever has not asked `has` may find nothing. */
  pathOf(sha256: string): string
  /** How much of a resumable upload is there. */
  partSize(sha256: string): Promise<number>
  /** Adds bytes at the end of a resumable upload; an `offset` elsewhere is refused as `range`. Gives the new size. */
  writePart(
    sha256: string,
    offset: number,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    maxBytes: number,
  ): Promise<number>
  /** Ends a resumable upload: its bytes must have the hash. Gives the size. Repeating it does no harm. */
  finish(sha256: string): Promise<number>
  /** The bytes, or a part of them; undefined where the file is not there. */
  read(sha256: string, range?: ByteRange): Promise<Readable | undefined>
  /** Takes bytes away at once, unless somebody asked for them since `olderThan`. Gives whether they are gone. */
  drop(sha256: string, olderThan: Date): Promise<boolean>
  /** Clears what is older than `olderThan` and which `unused` picks, and uploads that were left unfinished since then. */
  clear(olderThan: Date, unused: (hashes: string[]) => Promise<string[]>): Promise<number>
}

const HASH = /^[0-9a-f]{64}$/

const stores = new Map<string, FileStore>()

/** A file store in a folder: `ab/abcdef…` for whole files, `partial/` for those on their way. One per folder. */
export function folderStore(root: string): FileStore {
  const store = stores.get(root) ?? new FolderStore(root)
  stores.set(root, store)
  return store
}

/** The installation's file store. */
export function fileStoreOf(deps: { settings: { dataDir: string } }): FileStore {
  return folderStore(join(deps.settings.dataDir, 'files'))
}

class FolderStore implements FileStore {
  readonly #root: string
  /** Writers of one partial file take turns. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(root: string) {
    this.#root = root
    mkdirSync(join(root, 'partial'), { recursive: true, mode: 0o700 })
  }

  async has(sha256: string): Promise<number | undefined> {
    const path = this.#whole(sha256)
    const size = await sizeOf(path)
    if (size === undefined) return undefined
    const now = new Date()
    await utimes(path, now, now)
    return size
  }

  async put(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<{ sha256: string; size: number }> {
    const temporary = join(this.#root, 'partial', `put-${randomUUIDv7()}`)
    const handle = await open(temporary, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      const size = await append(handle, 0, source, maxBytes, (chunk) => hash.update(chunk))
      await handle.sync()
      await handle.close()
      const sha256 = hash.digest('hex')
      if ((await this.has(sha256)) === undefined) await moveInto(temporary, this.#whole(sha256))
      return { sha256, size }
    } finally {
      await handle.close()
      await rm(temporary, { force: true })
    }
  }

  async adopt(path: string, sha256: string): Promise<void> {
    if ((await this.has(sha256)) !== undefined) return rm(path, { force: true })
    const handle = await open(path, 'r+')
    try {
      // What was last written long ago would else be taken for unused.
      const now = new Date()
      await handle.utimes(now, now)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await moveInto(path, this.#whole(sha256))
  }

  pathOf(sha256: string): string {
    return this.#whole(sha256)
  }

  async partSize(sha256: string): Promise<number> {
    return (await sizeOf(this.#partial(sha256))) ?? 0
  }

  writePart(
    sha256: string,
    offset: number,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    maxBytes: number,
  ): Promise<number> {
    return this.#inTurn(sha256, async () => {
      const have = await this.partSize(sha256)
      if (offset !== have)
        throw new FileStoreError('range', `The upload goes on at ${have}, not at ${offset}.`, have)
      const handle = await open(this.#partial(sha256), 'a', 0o600)
      try {
        return await append(handle, have, bytes instanceof Uint8Array ? [bytes] : bytes, maxBytes)
      } finally {
        await handle.close()
      }
    })
  }

  finish(sha256: string): Promise<number> {
    return this.#inTurn(sha256, async () => {
      const partial = this.#partial(sha256)
      const there = await this.has(sha256)
      if (there !== undefined) {
        await rm(partial, { force: true })
        return there
      }
      const handle = await open(partial, 'a+', 0o600)
      try {
        const hash = createHash('sha256')
        let size = 0
        for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
          if (!(chunk instanceof Uint8Array)) continue
          hash.update(chunk)
          size += chunk.byteLength
        }
        if (hash.digest('hex') !== sha256) {
          await rm(partial, { force: true })
          throw new FileStoreError('wrong_hash', 'The bytes do not have the promised hash.')
        }
        await handle.sync()
        await moveInto(partial, this.#whole(sha256))
        return size
      } finally {
        await handle.close()
      }
    })
  }

  async read(sha256: string, range?: ByteRange): Promise<Readable | undefined> {
    const path = this.#whole(sha256)
    if ((await sizeOf(path)) === undefined) return undefined
    return createReadStream(path, range ?? {})
  }

  async clear(olderThan: Date, unused: (hashes: string[]) => Promise<string[]>): Promise<number> {
    let cleared = 0
    for (const folder of await readdir(this.#root)) {
      const names = await readdir(join(this.#root, folder))
      const old: string[] = []
      for (const name of names) {
        const known = await stat(join(this.#root, folder, name)).catch(absent)
        if (known && known.mtime < olderThan) old.push(name)
      }
      const gone = folder === 'partial' ? old : await unused(old.filter((name) => HASH.test(name)))
      for (const name of gone) await rm(join(this.#root, folder, name), { force: true })
      cleared += gone.length
    }
    return cleared
  }

  async drop(sha256: string, olderThan: Date): Promise<boolean> {
    const path = this.#whole(sha256)
    const known = await stat(path).catch(absent)
    if (known && known.mtime >= olderThan) return false
    await rm(path, { force: true })
    return true
  }

  #whole(sha256: string): string {
    assertHash(sha256)
    return join(this.#root, sha256.slice(0, 2), sha256)
  }

  #partial(sha256: string): string {
    assertHash(sha256)
    return join(this.#root, 'partial', sha256)
  }

  async #inTurn<T>(sha256: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(sha256) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine.catch(() => undefined)
    this.#turns.set(sha256, settled)
    try {
      return await mine
    } finally {
      if (this.#turns.get(sha256) === settled) this.#turns.delete(sha256)
    }
  }
}

/** A hash becomes part of a path, so nothing else may ever come here. */
function assertHash(sha256: string): void {
  if (!HASH.test(sha256)) throw new FileStoreError('wrong_hash', 'Not a SHA-256 in lower-case hex.')
}

async function append(
  handle: FileHandle,
  offset: number,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  see?: (chunk: Uint8Array) => void,
): Promise<number> {
  let size = offset
  for await (const chunk of source) {
    if (size + chunk.byteLength > maxBytes)
      throw new FileStoreError('too_large', `A file may have ${maxBytes} bytes.`, size)
    see?.(chunk)
    await handle.appendFile(chunk)
    size += chunk.byteLength
  }
  return size
}

/** The rename is what makes a file whole, so its folder is flushed too. */
async function moveInto(from: string, to: string): Promise<void> {
  const folder = dirname(to)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rename(from, to)
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const known = await stat(path).catch(absent)
  return known?.size
}

function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
