import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { AgentExit, EXIT } from '../exit-codes.ts'

const identitySchema = z.strictObject({
  /** PKCS8, base64. */
  privateKey: z.string(),
  /** SPKI, base64. */
  publicKey: z.string(),
  serverUrl: z.string(),
  /** Null until the server has accepted the join code. */
  clientId: z.string().nullable(),
  clientKey: z.string().nullable(),
  /** SPKI, base64: jobs are signed with its other half. */
  serverPublicKey: z.string().nullable(),
})
/** Who this agent is, as kept on disk. */
export type StoredIdentity = z.infer<typeof identitySchema>

/** Who this agent is, once it has joined. */
export interface Identity {
  clientId: string
  clientKey: string
  serverUrl: string
  serverPublicKey: string
  privateKey: KeyObject
}

const FILE = 'identity.json'

/** A new key pair for a server that this agent has yet to join. */
export function createIdentity(serverUrl: string): StoredIdentity {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    serverUrl,
    clientId: null,
    clientKey: null,
    serverPublicKey: null,
  }
}

/** The identity in a data folder, if there is one. A file that others can read is closed to them. */
export async function loadIdentity(dataDir: string): Promise<StoredIdentity | undefined> {
  const path = join(dataDir, FILE)
  let text: string
  try {
    text = await readFile(path, 'utf8')
    if (process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    return identitySchema.parse(JSON.parse(text))
  } catch (error) {
    throw new AgentExit(EXIT.settings, `${path} is damaged. Restore it, or remove it and join anew.`, {
      cause: error,
    })
  }
}

/** Writes the identity so that a power cut leaves either the old or the new one. */
export async function saveIdentity(dataDir: string, identity: StoredIdentity): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeDurably(join(dataDir, FILE), JSON.stringify(identity, null, 2))
}

/** Writes a small private file as a whole or not at all. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
}

/** The identity as the connection uses it, or undefined while the join is not complete. */
export function usableIdentity(stored: StoredIdentity): Identity | undefined {
  const { clientId, clientKey, serverPublicKey, serverUrl, privateKey } = stored
  if (clientId === null || clientKey === null || serverPublicKey === null) return undefined
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  return { clientId, clientKey, serverPublicKey, serverUrl, privateKey: key }
}

/** Signs a text; Ed25519, base64. */
export function signText(identity: Identity, text: string): string {
  return sign(null, Buffer.from(text), identity.privateKey).toString('base64')
}
