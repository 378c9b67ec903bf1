import { sql } from 'drizzle-orm'
import type { Subject } from '@weft/contract/core/permissions'
import type { Visible } from '../feature.ts'
import { isId } from '../id.ts'
import { idsOf, scopeColumns, type ResourceTable } from './definition.ts'

const MANY = 'many:'

/** The id of an event that stands for very many records of one owner at once. */
export function manyOf(ownerId: string | null): string {
  return MANY + (ownerId ?? '')
}

/** Who is told of changes of a resource: whoever may see the record, also when it is in the trash by now. */
export function seenBy({ table, subject }: { table: ResourceTable; subject: Subject }): Visible {
  return async (who, ids) => {
    const single = ids.filter(isId)
    const seen =
      single.length === 0
        ? new Set<string>()
        : await idsOf(
            who.tx,
            sql`select ${table.id} as id from ${table} where ${table.id} = any(${sql.param(single)}::uuid[])
              and ${who.scope('VIEW', subject, scopeColumns(table))}`,
          )
    const many = ids.filter(
      (id) => id.startsWith(MANY) && who.can('VIEW', subject, { ownerId: id.slice(MANY.length) || null }),
    )
    return new Set([...seen, ...many])
  }
}
