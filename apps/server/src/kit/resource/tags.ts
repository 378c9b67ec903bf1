import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { MOST_TAGS } from '@weft/contract/core/resource'
import type { CallContext } from '../context.ts'
import { scopeColumns, type ResourceDefinition } from './definition.ts'

/** So many of the newest records with tags are looked at: what people tag with now, however many there are. */
const LOOKED_AT = 2000

type Tagged = Pick<ResourceDefinition, 'table' | 'subject'>

/** The tags of the records that the caller sees, the most used first; `q` is a part of them. */
export async function tagsOf(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  definition: Tagged,
  q: string | undefined,
): Promise<string[]> {
  const { rows } = await ctx.tx.execute(tagsQuery(ctx, definition, q))
  return rows.map((row) => found.parse(row).tag)
}

const found = z.object({ tag: z.string() })

export function tagsQuery(ctx: Pick<CallContext, 'scope'>, { table, subject }: Tagged, q = ''): SQL {
  return sql`select tag from (
      select ${table.tags} as tags from ${table}
      where ${table.deletedAt} is null and ${table.tags} <> '{}'
        and ${ctx.scope('VIEW', subject, scopeColumns(table))}
      order by ${table.id} desc limit ${LOOKED_AT}
    ) tagged, unnest(tagged.tags) tag
    where strpos(lower(tag), lower(${q})) > 0
    group by tag order by count(*) desc, tag limit ${MOST_TAGS}`
}
