import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Job } from '@weft/contract/agents/jobs'
import { canonicalJson } from '@weft/contract/core/canonical'
import type { Tx } from '../../db/connection.ts'
import type { Secrets } from '../../kit/secrets.ts'

/** Signs jobs, so that an agent runs nothing that its server did not give. */
export interface JobSigner {
  /** Ed25519, SPKI, base64: what agents keep from registering. */
  publicKey: string
  sign: (job: Job) => string
}

const ROW = { table: 'agent_signing_key', column: 'private_key', row: '1' }

/** The installation's signing key; made once, its private half sealed in the database. */
export async function openSigner(db: Tx, secrets: Secrets): Promise<JobSigner> {
  const pair = generateKeyPairSync('ed25519')
  const fresh = {
    publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
  await db.execute(sql`
    insert into agent_signing_key (id, public_key, private_key)
    values (1, ${fresh.publicKey}, ${secrets.seal(fresh.privateKey, ROW)}) on conflict do nothing`)
  const result = await db.execute(sql`select public_key, private_key from agent_signing_key where id = 1`)
  const row = z.object({ public_key: z.string(), private_key: z.string() }).parse(result.rows[0])
  const key: KeyObject = createPrivateKey({
    key: Buffer.from(secrets.open(row.private_key, ROW), 'base64'),
    format: 'der',
    type: 'pkcs8',
  })
  return {
    publicKey: row.public_key,
    sign: (job) => sign(null, Buffer.from(canonicalJson(job)), key).toString('base64'),
  }
}
