import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const everyNth = z.number().int().min(0).max(1000).default(0)

/** What can be made to go wrong, all off by default; "every nth" is 0 for never and 1 for each time. */
export const switchesSchema = z.strictObject({
  /** Wait before every answer. */
  slowMs: z.number().int().min(0).max(60_000).default(0),
  /** The status of the failures that the next three bring about. */
  failStatus: z.number().int().min(400).max(599).default(500),
  failPercent: z.number().int().min(0).max(100).default(0),
  failEvery: everyNth,
  /** Fail this many requests, then work: a retry gets through. */
  failFirst: z.number().int().min(0).max(1000).default(0),
  /** Close the connection without an answer, before anything is done. */
  dropEvery: everyNth,
  /** Which requests the switches above are about. */
  applies: z.enum(['every', 'reads', 'writes']).default('every'),
  /** Save the notice, then close the connection without an answer. */
  loseAnswerEvery: everyNth,
  maintenance: z.boolean().default(false),
  /** End sessions this long after sign-in; 0 leaves the ordinary twelve hours. */
  sessionSeconds: z.number().int().min(0).max(86_400).default(0),
  /** Refuse the right password as if the account were suspended. */
  refuseSignIn: z.boolean().default(false),
  /** Tell a number that is one too high after posting. */
  wrongNumber: z.boolean().default(false),
  /** Other labels, ids and test ids on the forms, as after a redesign. */
  renamed: z.boolean().default(false),
})
export type Switches = z.infer<typeof switchesSchema>
export type SwitchesInput = z.input<typeof switchesSchema>

/** Everything off. */
export const SWITCHES_OFF: Switches = switchesSchema.parse({})

/** What the switches say about one request. */
export interface Ruling {
  drop: boolean
  failStatus: number | null
}

const savedSchema = z.record(z.string(), switchesSchema)

/** The scope that is about everybody; the others are usernames. */
export const EVERYBODY = 'all'

/** The switches for everybody and for single accounts. They outlive a restart; their counters begin again. */
export class SwitchBoard {
  readonly #path: string
  readonly #scopes: Map<string, Switches>
  readonly #requests = new Map<string, number>()
  readonly #posts = new Map<string, number>()
  #saving: Promise<void> = Promise.resolve()

  private constructor(path: string, scopes: Map<string, Switches>) {
    this.#path = path
    this.#scopes = scopes
  }

  /** Reads the switches in a folder. */
  static async open(folder: string): Promise<SwitchBoard> {
    const path = join(folder, 'switches.json')
    try {
      const saved = savedSchema.parse(JSON.parse(await readFile(path, 'utf8')))
      return new SwitchBoard(path, new Map(Object.entries(saved)))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        return new SwitchBoard(path, new Map())
      throw new Error(`${path} is damaged; remove it to turn every switch off`, { cause: error })
    }
  }

  /** The switches of one scope. */
  get(scope: string): Switches {
    return this.#scopes.get(scope) ?? SWITCHES_OFF
  }

  /** The scopes that have something on. */
  list(): Record<string, Switches> {
    return Object.fromEntries(this.#scopes)
  }

  /** Replaces the switches of one scope (what is not given is off) and begins its counters again. */
  async set(scope: string, input: SwitchesInput): Promise<Switches> {
    const switches = switchesSchema.parse(input)
    const off = JSON.stringify(switches) === JSON.stringify(SWITCHES_OFF)
    if (off) this.#scopes.delete(scope)
    else this.#scopes.set(scope, switches)
    this.#requests.delete(scope)
    this.#posts.delete(scope)
    await this.#save()
    return switches
  }

  /** Turns everything off. */
  async clear(): Promise<void> {
    this.#scopes.clear()
    this.#requests.clear()
    this.#posts.clear()
    await this.#save()
  }

  /** The switches that bear on an account's request: everybody's and its own. */
  applying(username: string | null): Switches[] {
    return this.#scopesOf(username).map((scope) => this.get(scope))
  }

  /** Counts one request and says what shall happen to it. */
  rule(username: string | null, kind: 'read' | 'write'): Ruling {
    const ruling: Ruling = { drop: false, failStatus: null }
    for (const scope of this.#scopesOf(username)) {
      const switches = this.get(scope)
      if (!concerns(switches, kind)) continue
      const count = increment(this.#requests, scope)
      if (isNth(count, switches.dropEvery)) ruling.drop = true
      if (shouldFail(switches, count)) ruling.failStatus = switches.failStatus
    }
    return ruling
  }

  /** How long to wait before answering. */
  delayMs(username: string | null, kind: 'read' | 'write'): number {
    const delays = this.applying(username).map((switches) => (concerns(switches, kind) ? switches.slowMs : 0))
    return Math.max(...delays)
  }

  /** Counts one saved notice and says whether its answer is to be lost. */
  losesAnswer(username: string): boolean {
    const lost = this.#scopesOf(username).map((scope) =>
      isNth(increment(this.#posts, scope), this.get(scope).loseAnswerEvery),
    )
    return lost.includes(true)
  }

  #scopesOf(username: string | null): string[] {
    return username === null ? [EVERYBODY] : [EVERYBODY, username]
  }

  async #save(): Promise<void> {
    const text = JSON.stringify(this.list(), null, 2)
    const write = async (): Promise<void> => {
      const unfinished = `${this.#path}.part`
      const handle = await open(unfinished, 'w', 0o600)
      try {
        await handle.writeFile(text)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(unfinished, this.#path)
    }
    // One after another, whether or not the one before succeeded; its own caller hears of that.
    const saved = this.#saving.then(write, write)
    this.#saving = saved
    await saved
  }

  /** Waits for the last change to be saved. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#saving])
  }
}

function increment(counters: Map<string, number>, scope: string): number {
  const count = (counters.get(scope) ?? 0) + 1
  counters.set(scope, count)
  return count
}

function isNth(count: number, nth: number): boolean {
  return nth > 0 && count % nth === 0
}

function concerns(switches: Switches, kind: 'read' | 'write'): boolean {
  return switches.applies === 'every' || switches.applies === `${kind}s`
}

/** Percentages are spread evenly and the same each time: of any hundred in a row, exactly so many fail. */
function shouldFail(switches: Switches, count: number): boolean {
  if (count <= switches.failFirst || isNth(count, switches.failEvery)) return true
  const failedUpTo = (requests: number): number => Math.floor((requests * switches.failPercent) / 100)
  return failedUpTo(count) > failedUpTo(count - 1)
}
