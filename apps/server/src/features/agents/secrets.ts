import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../db/connection.ts'
import { AppError } from '../../kit/app-error.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { BINDING } from '../attended-runs/binding.ts'

const COLUMNS = {
  'account.password': { table: 'account', column: 'password', field: 'password' },
  'account.totpSeed': { table: 'account', column: 'totp_seed', field: 'totpSeed' },
  'account.recoveryCodes': { table: 'account', column: 'recovery_codes', field: 'recoveryCodes' },
  'proxy.password': { table: 'proxy', column: 'password', field: 'password' },
} as const
export type SecretHandle = keyof typeof COLUMNS

/** One secret of a resource that a run binds; no other can be had, and none of an account that a person signs in to. */
export async function readSecret(
  tx: Tx,
  secrets: Secrets,
  runId: string,
  handle: SecretHandle,
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
