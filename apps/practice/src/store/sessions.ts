import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type SeedAccount, seedAccounts } from '../seed.ts'
import { AppendLog, syncFolder } from './append-log.ts'

/** How long a sign-in lasts unless a switch shortens it. */
export const SESSION_SECONDS = 12 * 60 * 60

/** Somebody who has signed in. */
export interface Session {
  account: SeedAccount
  startedAt: number
  id: string
}

const endedSchema = z.object({ id: z.string(), at: z.number() })

function equal(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

async function readOrMakeKey(folder: string): Promise<string> {
  const path = join(folder, 'key')
  try {
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.writeFile(randomBytes(32).toString('hex'))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await syncFolder(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const key = await readFile(path, 'utf8')
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new Error(`${path} is damaged; remove it (everybody must then sign in again)`)
  return key
}

/**
 * Accounts and who is signed in. A session is a signed cookie, so it outlives a restart without a write at sign-in;
 * only those that were signed out are written down.
 */
export class Sessions {
  readonly #key: string
  readonly #log: AppendLog
  readonly #ended: Set<string>

  private constructor(key: string, log: AppendLog, ended: Set<string>) {
    this.#key = key
    this.#log = log
    this.#ended = ended
  }

  /** Reads or makes the signing key and the list of ended sessions in a folder. */
  static async open(folder: string): Promise<Sessions> {
    const key = await readOrMakeKey(folder)
    const { log, records } = await AppendLog.open(join(folder, 'sign-outs.log'), endedSchema)
    const oldest = Date.now() - SESSION_SECONDS * 1000
    const ended = new Set(records.filter((record) => record.at > oldest).map((record) => record.id))
    return new Sessions(key, log, ended)
  }

  /** The account if the password is right. */
  check(username: string, password: string): SeedAccount | null {
    const account = seedAccounts.find((candidate) => candidate.username === username)
    return equal(password, account?.password ?? '') && account ? account : null
  }

  /** The account of a bearer token. */
  byToken(token: string): SeedAccount | null {
    return seedAccounts.find((account) => equal(account.token, token)) ?? null
  }

  /** Begins a session; the answer is the cookie's value. */
  start(account: SeedAccount): string {
    const content = [account.username, Date.now().toString(36), randomBytes(12).toString('base64url')].join(
      '.',
    )
    return `${content}.${this.sign('session', content)}`
  }

  /** The session behind a cookie's value; null when it is forged, too old or signed out. */
  read(cookie: string): Session | null {
    const [username = '', started = '', id = '', signature = '', ...rest] = cookie.split('.')
    if (rest.length > 0 || !equal(signature, this.sign('session', [username, started, id].join('.'))))
      return null
    const account = seedAccounts.find((candidate) => candidate.username === username)
    const startedAt = Number.parseInt(started, 36)
    if (!account || this.#ended.has(id) || startedAt + SESSION_SECONDS * 1000 <= Date.now()) return null
    return { account, startedAt, id }
  }

  /** Ends a session for good. */
  async end(session: Session): Promise<void> {
    this.#ended.add(session.id)
    await this.#log.append({ id: session.id, at: Date.now() })
  }

  /** A signature for one purpose over some text. */
  sign(purpose: 'session' | 'form', text: string): string {
    return createHmac('sha256', this.#key).update(`${purpose}\n${text}`).digest('base64url')
  }

  /** Whether a signature fits. */
  verify(purpose: 'session' | 'form', text: string, signature: string): boolean {
    return equal(signature, this.sign(purpose, text))
  }

  /** Finishes what is being written. */
  async close(): Promise<void> {
    await this.#log.close()
  }
}
