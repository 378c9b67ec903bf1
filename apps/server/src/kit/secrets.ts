import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
  randomFillSync,
} from 'node:crypto'
import { chmod, mkdir, open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from '../settings.ts'

/** Where a sealed value stands; a value moved to another place does not open. */
export interface SealPlace {
  table: string
  column: string
  row: string
}

/** Seals secrets with the installation's key. */
export interface Secrets {
  seal(value: string, place: SealPlace): string
  /** Throws where the value was not sealed with this key for this place. */
  open(sealed: string, place: SealPlace): string
  /** A key for one purpose, derived from the installation's. */
  derive(purpose: string): Buffer
}

const VERSION = 'v1'

/** AES-256-GCM: `v1:keyId:iv12|ct|tag`, a random nonce each time, the place as additional data. */
export function secretsOf(key: Buffer): Secrets {
  const derived = derive(key, 'seal')
  const keyId = createHash('sha256').update(derived).digest('hex').slice(0, 8)
  // Given as bytes, the key would be made ready anew for each value, which takes five times as long as sealing it.
  const sealing = createSecretKey(derived)
  const nextNonce = nonces()
  return {
    seal(value, place) {
      const iv = nextNonce()
      const cipher = createCipheriv('aes-256-gcm', sealing, iv)
      cipher.setAAD(aad(place))
      const sealed = Buffer.concat([iv, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}:${keyId}:${sealed.toString('base64url')}`
    },
    open(text, place) {
      const [version, id, encoded] = text.split(':')
      if (version !== VERSION || id !== keyId || !encoded) throw new Error('sealed with another key')
      const sealed = Buffer.from(encoded, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(0, 12))
      decipher.setAAD(aad(place))
      decipher.setAuthTag(sealed.subarray(-16))
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
    derive: (purpose) => derive(key, purpose),
  }
}

const NONCE_BYTES = 12
const NONCES = 256

/** Random nonces, drawn by many at once; each is given once. */
function nonces(): () => Buffer {
  const drawn = Buffer.alloc(NONCE_BYTES * NONCES)
  let at = drawn.length
  return () => {
    if (at === drawn.length) {
      randomFillSync(drawn)
      at = 0
    }
    at += NONCE_BYTES
    return Buffer.from(drawn.subarray(at - NONCE_BYTES, at))
  }
}

function aad({ table, column, row }: SealPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, row]))
}

function derive(key: Buffer, purpose: string): Buffer {
  return createHash('sha256').update(key).update(`weft:${purpose}`).digest()
}

/** Reads the key file, or makes one that only its owner may read. */
export async function readKeyFile(path: string): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(`${randomBytes(32).toString('base64')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      throw new StartError(`The key file ${path} cannot be made: ${String(error)}`, { cause: error })
  }
  const found = await stat(path)
  if (!found.isFile()) throw new StartError(`The key file ${path} is not a file.`)
  const { mode } = found
  if ((mode & 0o077) !== 0) await chmod(path, 0o600)
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length !== 32) throw new StartError(`The key file ${path} does not hold a key of 32 bytes.`)
  return key
}
