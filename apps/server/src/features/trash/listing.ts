import { and, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { ALL_ROWS } from '@weft/contract/core/list'
import type { trash } from '@weft/contract/trash/api'
import { TRASH_DAYS, TRASH_KINDS, type Thrown } from '@weft/contract/trash/schema'
import { AllRows, type ListAnswer } from '../../kit/answers.ts'
import type { CallContext } from '../../kit/context.ts'
import { foundBy } from '../../kit/list.ts'
import { readInBatches } from '../../kit/list-stream.ts'
import { anyOf, isThrownAway } from '../../kit/recordset.ts'
import { isPurged } from '../../kit/resource/view.ts'
import { TRASHED, type TrashedKind } from './kinds.ts'

type Query = z.output<typeof trash.list.input>

/** Of each kind so many are counted; beyond, it is said that there are more. */
const EXACT_COUNT = 10_000
const NOTHING = sql`select null::text as id, null::timestamptz as deleted_at where false`

/** The kinds of which somebody may take something back. */
function kindsFor(ctx: CallContext, asked: readonly string[] | undefined): TrashedKind[] {
  return TRASHED.filter(
    ({ kind, subject }) => (!asked?.length || asked.includes(kind)) && ctx.can('DELETE', subject),
  )
}

/** Of a kind, what lies in the trash, may be seen and may be taken back. */
function conditions(
  ctx: CallContext,
  { subject, table, columns, search, where }: TrashedKind,
  { q, own }: Partial<Pick<Query, 'q' | 'own'>>,
): SQL | undefined {
  return and(
    sql`${table.deletedAt} is not null`,
    ctx.scope('VIEW', subject, columns),
    ctx.scope('DELETE', subject, columns),
    own ? sql`${table.ownerId} = ${ctx.user.id}` : undefined,
    where,
    foundBy(q, { table, id: table.id, search }),
  )
}

/** One page of the trash, or all of it as a stream. Of each kind no more is read than could stand on the page. */
export async function listTrash(ctx: CallContext, query: Query): Promise<ListAnswer<Thrown>> {
  const counts = await countKinds(ctx, query)
  const totalRecord = counts.reduce((sum, { count }) => sum + count, 0)
  if (query.perPage === ALL_ROWS)
    return new AllRows(
      readInBatches(
        ctx.tx,
        () => keys(ctx, query, sql``, sql``),
        (at, ids) => load({ tx: at, user: ctx.user }, ids),
      ),
      totalRecord,
    )
  const { page, perPage } = query
  const upTo = sql`limit ${page * perPage}`
  const found = await ctx.tx.execute(
    keys(ctx, query, upTo, sql`limit ${perPage} offset ${(page - 1) * perPage}`),
  )
  return {
    data: await load(
      ctx,
      found.rows.map((row) => keyRow.parse(row).id),
    ),
    totalRecord,
    totalPage: Math.ceil(totalRecord / perPage),
    ...(counts.some(({ more }) => more) ? { totalEstimated: true } : {}),
  }
}

const keyRow = z.object({ id: z.string() })

/** The ids of the trash in order; `each` bounds every kind, `all` the whole. */
function keys(ctx: CallContext, query: Query, each: SQL, all: SQL): SQL {
  const down = query.sortBy === undefined || query.sortDesc === true ? sql`desc` : sql`asc`
  const parts = kindsFor(ctx, query.kind).map((one) => {
    const { kind, table } = one
    return sql`(select ${kind}::text || ':' || ${table.id} as id, ${table.deletedAt} as deleted_at from ${table}
      where ${conditions(ctx, one, query)} order by ${table.deletedAt} ${down}, ${table.id} ${down} ${each})`
  })
  const united = parts.length > 0 ? sql.join(parts, sql` union all `) : NOTHING
  return sql`select id from (${united}) t order by deleted_at ${down}, id ${down} ${all}`
}

const thrownRow = z.object({
  kind: z.enum(TRASH_KINDS),
  id: z.string(),
  name: z.string(),
  deleted_at: z.coerce.date(),
  closed: z.boolean(),
  goes: z.boolean(),
  by_id: z.string().nullable(),
  by_name: z.string().nullable(),
})

/** The records of these ids, in their order. The history of each tells who threw it away: nothing comes after that. */
async function load(ctx: Pick<CallContext, 'tx' | 'user'>, ids: readonly string[]): Promise<Thrown[]> {
  const wanted = Map.groupBy(ids, (id) => id.slice(0, id.indexOf(':')))
  const parts = TRASHED.flatMap(({ kind, table, name, closed, goes, removedAs = [kind] }) => {
    const own = wanted.get(kind)?.map((id) => id.slice(kind.length + 1))
    if (!own) return []
    return [
      sql`select ${kind}::text as kind, ${table.id} as id, ${name}::text as name, ${table.deletedAt} as deleted_at,
          ${closed ?? sql`false`} as closed, ${goes ?? sql`false`} as goes,
          ${sql.param([...removedAs])}::text[] as features from ${table}
        where ${table.id} = ${anyOf(own)} and ${isThrownAway(table)}`,
    ]
  })
  if (parts.length === 0) return []
  const beyond = new Set<string>()
  for (const one of TRASHED) {
    const own = wanted.get(one.kind)?.map((id) => id.slice(one.kind.length + 1))
    for (const id of (own && (await one.beyond?.(ctx, own))) ?? []) beyond.add(`${one.kind}:${id}`)
  }
  const { rows } = await ctx.tx.execute(sql`
    select t.*, a.actor_id as by_id, a.actor_name as by_name from (${sql.join(parts, sql` union all `)}) t
    left join lateral (
      select actor_id, actor_name, label, after from audit where feature = any(t.features) and record_id = t.id::text order by at desc, id desc limit 1
    ) a on a.label like '%.delete' or a.after ->> 'deleted' = 'true'`)
  const byId = new Map(rows.map((row) => thrownRow.parse(row)).map((row) => [`${row.kind}:${row.id}`, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [present(id, row, row.closed || beyond.has(id))] : []
  })
}

function present(id: string, row: z.infer<typeof thrownRow>, stays: boolean): Thrown {
  const { subject } = TRASHED.find(({ kind }) => kind === row.kind) ?? {}
  return {
    id,
    kind: row.kind,
    recordId: row.id,
    name: row.name,
    deletedAt: row.deleted_at.toISOString(),
    deletedBy: row.by_name === null ? null : { id: row.by_id, name: row.by_name },
    goesAt: row.goes ? new Date(row.deleted_at.getTime() + TRASH_DAYS * 86_400_000).toISOString() : null,
    can: [...(stays ? [] : ['restore']), ...(subject && isPurged(subject) ? ['purge'] : [])],
  }
}

const countRow = z.object({ kind: z.enum(TRASH_KINDS), n: z.coerce.number() })

/** How much of each kind there is, counted no further than tells whether it is much. */
export async function countKinds(ctx: CallContext, query: Partial<Pick<Query, 'q' | 'own' | 'kind'>>) {
  const parts = kindsFor(ctx, query.kind).map((one) => {
    const some = sql`select 1 from ${one.table} where ${conditions(ctx, one, query)} limit ${EXACT_COUNT + 1}`
    return sql`select ${one.kind}::text as kind, (select count(*) from (${some}) x) as n`
  })
  if (parts.length === 0) return []
  const { rows } = await ctx.tx.execute(sql.join(parts, sql` union all `))
  return rows
    .map((row) => countRow.parse(row))
    .map(({ kind, n }) => ({ kind, count: Math.min(n, EXACT_COUNT), more: n > EXACT_COUNT }))
}
