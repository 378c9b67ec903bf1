import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { auditSchema } from '@weft/contract/audit/schema'
import type { ListAnswer } from '../answers.ts'
import { AppError } from '../app-error.ts'
import type { CallContext } from '../context.ts'
import { listOf, type ListInput } from '../list.ts'
import { audit } from '../tables.ts'
import { idsOf, scopeColumns, type RecordDefinition } from './definition.ts'

/** Who changed a record, and how; also of one in the trash. */
export async function historyOf(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  definition: Pick<RecordDefinition, 'table' | 'subject' | 'feature'>,
  input: ListInput & { id: string },
): Promise<ListAnswer<z.input<typeof auditSchema>>> {
  const { table, subject, feature } = definition
  const seen = await idsOf(
    ctx.tx,
    sql`select ${table.id} as id from ${table} where ${table.id} = ${input.id}
      and ${ctx.scope('VIEW', subject, scopeColumns(table))}`,
  )
  if (seen.size === 0) throw new AppError('record.not_found')
  return listOf(ctx.tx, input, {
    rows: (tx) => tx.select().from(audit).$dynamic(),
    table: audit,
    id: audit.id,
    where: [and(eq(audit.feature, feature), eq(audit.recordId, input.id))],
    sort: { at: audit.at },
    defaultSort: { by: 'at', desc: true },
    present: (rows) => rows.map((row) => ({ ...row, at: row.at.toISOString() })),
  })
}
