import { and, eq, gte, inArray, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { audit as auditApi } from '@weft/contract/audit/api'
import type { AuditRow } from '@weft/contract/audit/schema'
import { stream } from '../../kit/answers.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import type { Feature } from '../../kit/feature.ts'
import { implement, prepared } from '../../kit/implement.ts'
import { listOf, streamOf } from '../../kit/list.ts'
import { iso } from '../../kit/record.ts'
import { csvOf, ndjsonOf } from '../../kit/resource/export.ts'
import { audit } from '../../kit/tables.ts'

type Query = Partial<z.output<typeof auditApi.list.input>>

const EXPORTED = [
  'at',
  'actorName',
  'actorId',
  'address',
  'label',
  'feature',
  'recordId',
  'before',
  'after',
  'id',
] as const

/** The audit log, for those who may see it; rules may limit it to what somebody did themselves. */
export const auditFeature: Feature = {
  name: 'audit',
  mount(app) {
    implement(app, auditApi, {
      list: (ctx, input) => listOf(ctx.tx, input, source(ctx, input, 'VIEW')),

      names: async (ctx) => ({
        features: await distinct(ctx.tx, 'feature'),
        labels: await distinct(ctx.tx, 'label'),
      }),

      // The rows are read while they are sent, long after the transaction that writes the audit row.
      export: prepared(
        auditApi.export,
        async ({ db }) => db,
        async (ctx, { format, ...query }, db) => {
          const rows = texts(streamOf(db, query, source(ctx, query, 'EXPORT')))
          ctx.audit({ feature: 'audit', recordId: null, after: { format, ...query } })
          const csv = format === 'csv'
          return stream({
            contentType: csv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
            fileName: `audit.${format}`,
            body: csv ? csvOf(EXPORTED, rows) : ndjsonOf(EXPORTED, rows),
          })
        },
      ),
    })
  },
}

function source(ctx: Pick<CallContext, 'scope'>, query: Query, action: 'VIEW' | 'EXPORT') {
  const { actor, feature, label, record, address, from, to } = query
  return {
    rows: (tx: Tx) => tx.select().from(audit).$dynamic(),
    table: audit,
    id: audit.id,
    where: [
      ctx.scope(action, 'AUDIT', { id: audit.id, ownerId: audit.actorId, feature: audit.feature }),
      and(
        actor === undefined ? undefined : eq(audit.actorId, actor),
        feature?.length ? inArray(audit.feature, feature) : undefined,
        label?.length ? inArray(audit.label, label) : undefined,
        record === undefined ? undefined : eq(audit.recordId, record),
        address === undefined ? undefined : eq(audit.address, address),
        from === undefined ? undefined : gte(audit.at, new Date(from)),
        to === undefined ? undefined : lte(audit.at, new Date(to)),
      ),
    ],
    search: [audit.actorName],
    sort: { at: audit.at },
    defaultSort: { by: 'at', desc: true },
    present: (rows: readonly (typeof audit.$inferSelect)[]) =>
      rows.map(({ requestId: _requestId, ...row }): AuditRow => ({ ...row, at: iso(row.at) })),
  }
}

/** What changed is JSON in a cell of its own. */
async function* texts(rows: AsyncIterable<AuditRow>): AsyncGenerator<object> {
  const text = (value: unknown) => (value === null ? null : JSON.stringify(value))
  for await (const row of rows) yield { ...row, before: text(row.before), after: text(row.after) }
}

/** The values that a column holds, from one to the next by its index, however many rows there are. */
async function distinct(tx: Tx, name: 'feature' | 'label'): Promise<string[]> {
  const column = sql.identifier(name)
  const { rows } = await tx.execute<{ value: string }>(sql`
    with recursive found as (
      (select ${column} as value from audit order by ${column} limit 1)
      union all
      select (select ${column} from audit where ${column} > found.value order by ${column} limit 1)
      from found where found.value is not null
    )
    select value from found where value is not null`)
  return rows.map(({ value }) => value)
}
