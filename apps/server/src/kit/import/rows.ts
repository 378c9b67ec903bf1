import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../context.ts'
import type { SealPlace, Secrets } from '../secrets.ts'
import type { RowProblem } from './table.ts'

/** A row on its way into the database. */
export interface StagedRow {
  row: number
  values: readonly string[]
  identity: string | null
  problems: RowProblem[] | null
}

/** Stores rows of an upload, their texts sealed. */
export async function stageRows(
  tx: Tx,
  secrets: Secrets,
  importId: string,
  rows: readonly StagedRow[],
): Promise<void> {
  const column = <T>(pick: (row: StagedRow) => T) => sql.param(rows.map(pick))
  await tx.execute(sql`
    insert into import_row (import_id, row, source, identity, problems)
    select ${importId}::uuid, t.row, t.source, t.identity, t.problems::jsonb
    from unnest(${column((row) => row.row)}::integer[],
      ${column((row) => secrets.seal(JSON.stringify(row.values), placeOf(importId, row.row)))}::text[],
      ${column((row) => row.identity)}::text[],
      ${column((row) => (row.problems ? JSON.stringify(row.problems) : null))}::text[]) as t(row, source, identity, problems)`)
}

const texts = z.array(z.string())

/** The texts of a stored row, as they came. */
export function openRow(secrets: Secrets, importId: string, row: { row: number; source: string }): string[] {
  return texts.parse(JSON.parse(secrets.open(row.source, placeOf(importId, row.row))))
}

function placeOf(importId: string, row: number): SealPlace {
  return { table: 'import_row', column: 'source', row: `${importId}/${row}` }
}
