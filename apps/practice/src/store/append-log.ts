import { type FileHandle, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'

interface Waiting {
  line: string
  done: () => void
  failed: (error: unknown) => void
}

/** Makes a new name in a folder last through a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * A file of JSON lines that only grows. `append` answers when the line is on the disk; lines that wait for the same
 * sync share it. A last line torn by a crash was never acknowledged and is cut off before the next append, not when
 * the file is opened: a second start that then finds its port taken must not touch a file in use.
 */
export class AppendLog {
  readonly #handle: FileHandle
  #length: number
  #dirty: boolean
  #queue: Waiting[] = []
  #draining: Promise<void> = Promise.resolve()
  #busy = false

  private constructor(handle: FileHandle, length: number, dirty: boolean) {
    this.#handle = handle
    this.#length = length
    this.#dirty = dirty
  }

  /** Opens or makes the file and reads what it holds; a broken line that is not the last one is refused. */
  static async open<T>(path: string, schema: z.ZodType<T>): Promise<{ log: AppendLog; records: T[] }> {
    const handle = await open(path, 'a', 0o600)
    try {
      await syncFolder(dirname(path))
      const bytes = await readFile(path)
      const whole = bytes.lastIndexOf(0x0a) + 1
      const lines = bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1)
      const records = lines.map((line, index) => parseLine({ path, line, index, schema }))
      return { log: new AppendLog(handle, whole, whole !== bytes.length), records }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Adds one record; resolves once it is synced. After a failure the line is cut off again before the next append. */
  async append(record: unknown): Promise<void> {
    const written = new Promise<void>((done, failed) => {
      this.#queue.push({ line: `${JSON.stringify(record)}\n`, done, failed })
    })
    if (!this.#busy) this.#draining = this.#drain()
    await written
  }

  /** Waits for what is queued and closes the file. */
  async close(): Promise<void> {
    await this.#draining
    await this.#handle.close()
  }

  async #drain(): Promise<void> {
    this.#busy = true
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0)
      try {
        await this.#write(batch.map((waiting) => waiting.line).join(''))
        for (const waiting of batch) waiting.done()
      } catch (error) {
        for (const waiting of batch) waiting.failed(error)
      }
    }
    this.#busy = false
  }

  async #write(text: string): Promise<void> {
    if (this.#dirty) await this.#handle.truncate(this.#length)
    // Until the sync has succeeded the file may hold a part of this batch, which the next write cuts off.
    this.#dirty = true
    await this.#handle.appendFile(text)
    await this.#handle.datasync()
    this.#length += Buffer.byteLength(text)
    this.#dirty = false
  }
}

function parseLine<T>(at: { path: string; line: string; index: number; schema: z.ZodType<T> }): T {
  try {
    return at.schema.parse(JSON.parse(at.line))
  } catch (cause) {
    throw new Error(`${at.path}: line ${at.index + 1} is damaged; move the file away or restore it`, {
      cause,
    })
  }
}
