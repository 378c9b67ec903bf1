import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { SecretHandle } from '@weft/contract/agents/jobs'
import type { Tx } from '../../db/connection.ts'
import { AppError } from '../../kit/app-error.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { secretPlace } from '../../kit/resource/secrets.ts'
import { BINDING } from '../attended-runs/binding.ts'
import { projectSecret } from '../projects/table.ts'

const COLUMNS = {
  'account.password': { table: 'account', column: 'password', field: 'password' },
  'account.totpSeed': { table: 'account', column: 'totp_seed', field: 'totpSeed' },
  'account.recoveryCodes': { table: 'account', column: 'recovery_codes', field: 'recoveryCodes' },
  'proxy.password': { table: 'proxy', column: 'password', field: 'password' },
} as const
type BoundSecret = keyof typeof COLUMNS

function isBound(handle: SecretHandle): handle is BoundSecret {
  return handle in COLUMNS
}

/** One secret that a run may use: of a resource that it binds, or of its workflow's project. */
export function readSecret(
  tx: Tx,
  secrets: Secrets,
  runId: string,
  handle: SecretHandle,
): Promise<string | string[]> {
  return isBound(handle)
    ? readBound(tx, secrets, runId, handle)
    : readOfProject(tx, secrets, runId, handle.slice('project.'.length))
}

async function readOfProject(tx: Tx, secrets: Secrets, runId: string, name: string): Promise<string> {
  const result = await tx.execute(sql`
    select s.id, s.value as sealed from run r join workflow w on w.id = r.workflow_id
    left join run_project rp on rp.run_id = r.id
    join project p on p.id = coalesce(rp.project_id, w.project_id) and p.deleted_at is null
    join project_secret s on s.project_id = p.id and s.name = ${name}
    where r.id = ${runId}`)
  const row = z.object({ id: z.string(), sealed: z.string() }).safeParse(result.rows[0])
  if (!row.success) throw new AppError('record.not_found')
  return secrets.open(row.data.sealed, secretPlace(projectSecret, 'value', row.data.id))
}

/** One secret of a resource that a run binds; no other can be had, and none of an account that a person signs in to. */
async function readBound(
  tx: Tx,
  secrets: Secrets,
  runId: string,
  handle: BoundSecret,
): Promise<string | string[]> {
  const { table, column, field } = COLUMNS[handle]
  const result = await tx.execute(sql`
    select t.id, t.${sql.identifier(column)} as sealed from run r cross join lateral ${BINDING} b
    join ${sql.identifier(table)} t on t.id = b.${sql.identifier(`${table}_id`)} and t.deleted_at is null
    where r.id = ${runId} and (not b.attended or ${table === 'proxy'})`)
  const row = z.object({ id: z.string(), sealed: z.string() }).safeParse(result.rows[0])
  if (!row.success) throw new AppError('record.not_found')
  const plain = secrets.open(row.data.sealed, { table, column: field, row: row.data.id })
  return handle === 'account.recoveryCodes' ? z.array(z.string()).parse(JSON.parse(plain)) : plain
}
