import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { seedNotices } from '../seed.ts'
import { AppendLog, syncFolder } from './append-log.ts'
import { type Category, type NewNotice, type Notice, noticeSchema, type Picture } from './notice.ts'

/** A picture as it came, already recognised by its content. */
export interface NewPicture {
  data: Buffer
  type: Picture['type']
}

/** Which notices are wanted; everything given must hold. */
export interface NoticeFilter {
  text?: string
  title?: string
  account?: string
  category?: Category
  since?: number
  seeded?: boolean
}

const EXTENSION: Record<Picture['type'], string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

/** The notices. A notice is visible, and its number given out, only after it is safely on the disk. */
export class Board {
  /** Where the pictures lie. */
  readonly pictures: string
  readonly #log: AppendLog
  readonly #notices: Notice[] = []
  readonly #byNumber = new Map<number, Notice>()
  readonly #byFile = new Map<string, Picture>()
  #next = 1

  private constructor(pictures: string, log: AppendLog) {
    this.pictures = pictures
    this.#log = log
  }

  /** Reads the board in a folder, or begins one with the first notices. */
  static async open(folder: string): Promise<Board> {
    const pictures = join(folder, 'pictures')
    await mkdir(pictures, { recursive: true })
    const { log, records } = await AppendLog.open(join(folder, 'notices.log'), noticeSchema)
    const board = new Board(pictures, log)
    for (const notice of records) board.#show(notice)
    // A crash during the very first start may have kept only some of the first notices: the rest follow.
    const begun = records.filter((notice) => notice.via === 'seed').length
    await Promise.all(
      seedNotices.slice(begun).map((seed) =>
        board.#add({
          ...seed,
          account: null,
          urgent: seed.urgent ?? false,
          showUntil: null,
          picture: null,
          via: 'seed',
        }),
      ),
    )
    return board
  }

  /** Puts up a notice. Every call makes a new one, however alike. */
  async post(
    input: NewNotice & { account: string; author: string; via: 'form' | 'api' },
    picture?: NewPicture,
  ): Promise<Notice> {
    const kept = picture ? await this.#keep(picture) : null
    return await this.#add({ ...input, picture: kept, postedAt: new Date().toISOString() })
  }

  /** One notice by its number. */
  get(number: number): Notice | undefined {
    return this.#byNumber.get(number)
  }

  /** The notices that match, newest first. */
  list(filter: NoticeFilter = {}): Notice[] {
    const text = filter.text?.trim().toLocaleLowerCase()
    return this.#notices.filter((notice) => matches(notice, filter, text)).toReversed()
  }

  /** The picture's record if some notice shows a picture of this file name. */
  picture(file: string): Picture | undefined {
    return this.#byFile.get(file)
  }

  /** Finishes what is being written. */
  async close(): Promise<void> {
    await this.#log.close()
  }

  async #add(input: Omit<Notice, 'number'>): Promise<Notice> {
    const notice: Notice = { number: this.#next, ...input }
    this.#next += 1
    await this.#log.append(notice)
    this.#show(notice)
    return notice
  }

  #show(notice: Notice): void {
    this.#notices.push(notice)
    this.#byNumber.set(notice.number, notice)
    if (notice.picture) this.#byFile.set(notice.picture.file, notice.picture)
    this.#next = Math.max(this.#next, notice.number + 1)
  }

  async #keep(picture: NewPicture): Promise<Picture> {
    const file = `${randomBytes(12).toString('hex')}.${EXTENSION[picture.type]}`
    const path = join(this.pictures, file)
    const unfinished = `${path}.part`
    try {
      const handle = await open(unfinished, 'wx', 0o600)
      try {
        await handle.writeFile(picture.data)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    await syncFolder(this.pictures)
    return { file, type: picture.type, bytes: picture.data.length }
  }
}

function matches(notice: Notice, filter: NoticeFilter, text: string | undefined): boolean {
  if (filter.title !== undefined && notice.title !== filter.title) return false
  if (filter.account !== undefined && notice.account !== filter.account) return false
  if (filter.category !== undefined && notice.category !== filter.category) return false
  if (filter.since !== undefined && notice.number <= filter.since) return false
  if (filter.seeded !== undefined && (notice.via === 'seed') !== filter.seeded) return false
  return !text || `${notice.title}\n${notice.body}`.toLocaleLowerCase().includes(text)
}
