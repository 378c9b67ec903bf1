import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { csvLine } from '../../kit/csv.ts'
import type { Tx } from '../../kit/context.ts'
import { openRow } from '../../kit/import/rows.ts'
import type { ImportRecord } from '../../kit/import/table.ts'
import type { ResourceDefinition } from '../../kit/resource/definition.ts'
import type { Secrets } from '../../kit/secrets.ts'

const BATCH = 500
const rejectedRow = z.object({
  row: z.number(),
  source: z.string(),
  problems: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).nullable(),
  outcome: z.string().nullable(),
})
type Rejected = z.infer<typeof rejectedRow>

/** The rows that were not or will not be taken, in the columns they came in, each with its number and the reason. */
export async function* rejectedCsv(
  tx: Tx,
  secrets: Secrets,
  batch: ImportRecord,
  definition: Pick<ResourceDefinition, 'secrets'>,
): AsyncGenerator<string> {
  const secretColumns = new Set(definition.secrets.map((field) => batch.mapping[field]))
  const isSecret = batch.columns.map((column) => secretColumns.has(column))
  yield `\uFEFF${csvLine([...batch.columns, 'row', 'reason'])}`
  for (let after = 0; ;) {
    const found = await tx.execute(sql`
      select row, source, problems, outcome from import_row
      where import_id = ${batch.id} and row > ${after} and outcome is distinct from 'created' and outcome is distinct from 'updated'
        and (problems is not null or duplicate or outcome is not null)
      order by row limit ${BATCH}`)
    if (found.rows.length === 0) return
    const rows = found.rows.map((row) => rejectedRow.parse(row))
    after = rows.at(-1)?.row ?? after
    yield rows.map((row) => line(row, openRow(secrets, batch.id, row), isSecret)).join('')
  }
}

/** A secret goes back as it came: the person has it in their own file, and a changed one would fail when used again. */
function line(row: Rejected, values: readonly string[], isSecret: readonly boolean[]): string {
  const cells = isSecret.map((secret, index) => ({ secret, text: values[index] ?? '' }))
  const reason = row.problems?.map(describe).join('; ') ?? 'record.duplicate: There is one already'
  const plain = csvLine([row.row, reason])
  return (
    cells.map(({ secret, text }) => `${secret ? quoted(text) : csvLine([text]).slice(0, -2)},`).join('') +
    plain
  )
}

const quoted = (text: string) => (text === '' ? '' : `"${text.replaceAll('"', '""')}"`)

function describe({ path, code, message }: { path: string; code: string; message: string }): string {
  return `${path ? `${path}: ` : ''}${message} (${code})`
}
