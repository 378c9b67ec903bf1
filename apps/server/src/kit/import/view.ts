import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { importSchema } from '@weft/contract/imports/schema'
import type { Tx } from '../context.ts'
import { iso } from '../record.ts'
import { anyOf } from '../recordset.ts'
import { idsOf } from '../resource/definition.ts'
import type { ImportRecord } from './table.ts'

type View = z.input<typeof importSchema>

/** Imports as their uploader sees them. */
export async function importViews(tx: Tx, rows: readonly ImportRecord[]): Promise<View[]> {
  // What was made can be found again; what was changed only where its former values were kept.
  const unsure = rows.filter((row) => row.state === 'finished' && row.created === 0 && row.updated > 0)
  const kept =
    unsure.length === 0
      ? new Set<string>()
      : await idsOf(
          tx,
          sql`select i.id from import i where i.id = ${anyOf(unsure.map(({ id }) => id))} and exists (
            select 1 from import_row r where r.import_id = i.id and r.outcome = 'updated' and r.version is not null)`,
        )
  return rows.map((row) => viewOf(row, row.created > 0 || kept.has(row.id)))
}

/** An import as its uploader sees it. */
export async function importView(tx: Tx, row: ImportRecord): Promise<View> {
  const [view] = await importViews(tx, [row])
  if (!view) throw new Error('one import has one view')
  return view
}

function viewOf(row: ImportRecord, undoable: boolean): View {
  const cannotUndo = row.state === 'finished' && row.updated > 0 && !undoable
  return {
    id: row.id,
    kind: row.kind,
    fileName: row.fileName,
    state: row.state,
    total: row.total,
    good: row.good,
    bad: row.bad,
    duplicates: row.duplicates,
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    skipped: row.skipped,
    refused: row.refused,
    createdAt: row.createdAt.toISOString(),
    finishedAt: iso(row.finishedAt),
    can: actionsOf(row, undoable),
    ...(cannotUndo ? { cannot: { undo: 'import.cannot_undo' } } : {}),
  }
}

function actionsOf(row: ImportRecord, undoable: boolean): string[] {
  switch (row.state) {
    case 'checked':
      return [...(row.good + row.duplicates > 0 ? ['apply'] : []), ...rejected(row.bad + row.duplicates)]
    case 'failed':
      return ['apply', ...rejected(row.bad + row.duplicates)]
    case 'finished':
      return [...(undoable ? ['undo'] : []), ...rejected(row.skipped + row.refused)]
    default:
      return []
  }
}

const rejected = (count: number) => (count > 0 ? ['rejected'] : [])
