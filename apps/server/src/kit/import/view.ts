import type { z } from 'zod'
import type { importSchema } from '@weft/contract/imports/schema'
import { iso } from '../record.ts'
import type { ImportRecord } from './table.ts'

/** An import as its uploader sees it. */
export function importView(row: ImportRecord): z.input<typeof importSchema> {
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
    can: actionsOf(row),
  }
}

function actionsOf(row: ImportRecord): string[] {
  switch (row.state) {
    case 'checked':
      return [...(row.good + row.duplicates > 0 ? ['apply'] : []), ...rejected(row.bad + row.duplicates)]
    case 'failed':
      return ['apply', ...rejected(row.bad + row.duplicates)]
    case 'finished':
      return [...(row.created + row.updated > 0 ? ['undo'] : []), ...rejected(row.skipped + row.refused)]
    default:
      return []
  }
}

const rejected = (count: number) => (count > 0 ? ['rejected'] : [])
