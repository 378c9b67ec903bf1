import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { refusedSchema, type bulkSchema } from '@weft/contract/bulks/schema'
import { iso } from '../record.ts'
import { bulk, type BulkRecord } from './table.ts'

const SHOWN = 100

/** The first of those that were refused, as JSON; to be selected beside a bulk. */
export const firstRefused = sql<unknown>`(
  select coalesce(json_agg(json_build_object('id', r.record_id, 'name', coalesce(r.name, ''), 'code', r.code) order by r.record_id), '[]'::json)
  from (select * from bulk_row where bulk_id = ${bulk}.id and code is not null order by record_id limit ${sql.raw(String(SHOWN))}) r)`

const refusedRows = z.array(refusedSchema)

/** A bulk as whoever began it sees it. */
export function bulkView(row: BulkRecord, refused: unknown): z.input<typeof bulkSchema> {
  return {
    id: row.id,
    kind: row.kind,
    action: row.action,
    fields: row.fields,
    tags: row.tags,
    state: row.state,
    total: row.total,
    processed: row.processed,
    done: row.done,
    unchanged: row.unchanged,
    refusedTotal: row.refused,
    refused: refusedRows.parse(refused),
    undoes: row.undoes,
    createdAt: row.createdAt.toISOString(),
    finishedAt: iso(row.finishedAt),
    can: actionsOf(row),
  }
}

/** Whether a bulk changed something that can be put back. */
export function canBeUndone(row: BulkRecord): boolean {
  const ended = row.state === 'finished' || row.state === 'cancelled' || row.state === 'failed'
  return ended && row.action !== 'undo' && row.action !== 'purge' && row.done > row.unchanged
}

function actionsOf(row: BulkRecord): string[] {
  if (row.state === 'running') return ['cancel']
  return canBeUndone(row) ? ['undo'] : []
}
