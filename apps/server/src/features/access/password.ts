import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../kit/app-error.ts'

/** 19 MiB, two passes, one lane: about 10 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
const AT_ONCE = 4
const QUEUE = 64

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

let running = 0
const waiting: (() => void)[] = []

/** Hashes are dear on purpose: four at once, a short queue, and then a refusal instead of a standstill. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= QUEUE) throw new AppError('auth.busy', { seconds: 2 }, { retryAfterSeconds: 2 })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

function derive(message: string, salt: Buffer, cost: typeof COST, tagLength: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    argon2('argon2id', { message, nonce: salt, tagLength, ...cost }, (error, tag) =>
      error ? reject(error) : resolve(tag),
    ),
  )
}

const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** The hash of a password as PHC text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await inTurn(() => derive(password, salt, COST, TAG_BYTES))
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${encode(salt)}$${encode(tag)}`
}

/** What nobody's password is: checked for unknown names, so that they take as long as known ones. */
const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${encode(randomBytes(SALT_BYTES))}$${encode(randomBytes(TAG_BYTES))}`

/** Whether the password fits the hash. Without a hash the same work is done, and the answer is no. */
export async function verifyPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const parts = PHC.exec(hash ?? NOBODY)
  if (!parts) throw new Error('a stored password hash cannot be read')
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const wanted = Buffer.from(tag, 'base64')
  const found = await inTurn(() => derive(password, Buffer.from(salt, 'base64'), cost, wanted.length))
  return timingSafeEqual(found, wanted) && hash !== null && hash !== undefined
}

/** Whether a hash was made at a lower cost than today's and should be made anew. */
export function needsRehash(hash: string): boolean {
  const [, memory, passes] = PHC.exec(hash) ?? []
  return Number(memory) < COST.memory || Number(passes) < COST.passes
}
