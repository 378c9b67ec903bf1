import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { EventFeature } from '@weft/contract/core/events'
import { importInput, IMPORT_KINDS, type importCheckSchema } from '@weft/contract/imports/schema'
import { AppError } from '../app-error.ts'
import type { CallContext } from '../context.ts'
import { leanly } from '../lean.ts'
import { Pace } from '../pace.ts'
import { fieldErrors } from '../parse.ts'
import { newId } from '../record.ts'
import type { ResourceDefinition, ResourceTable, CommonView } from '../resource/definition.ts'
import type { Secrets } from '../secrets.ts'
import { zoneOf } from './days.ts'
import { importFields, readMapping, rowReader, suggestMapping, type ImportField } from './fields.ts'
import type { RowFormat } from './detect.ts'
import { readRows } from './read.ts'
import type { RowSource, SourceRow } from './source.ts'
import { stageRows, type StagedRow } from './rows.ts'
import { importBatch } from './table.ts'
import { importView } from './view.ts'

const MAX_ROWS = 200_000
const CHUNK = 500
const PREVIEW = 20
const SHOWN_PROBLEMS = 200
const MASK = '•••'

type Check = z.input<typeof importCheckSchema>

/** Stores the rows of an upload and checks each; nothing is created yet. Memory holds one chunk of rows at a time. */
export async function receiveImport<T extends ResourceTable, V extends CommonView, I extends object>(
  ctx: CallContext,
  secrets: Secrets,
  definition: ResourceDefinition<T, V, I>,
  rawInput: object,
): Promise<Check> {
  const input = importInput.parse(rawInput)
  const fields = importFields(definition.imported.schema, definition.secrets)
  const { encoding, separator, sheet } = input
  const source = await readRows(ctx.body, {
    format: input.format,
    encoding,
    separator,
    sheet,
    lines: { columns: fields.map((field) => field.name), form: definition.imported.lines },
  })
  const { format } = source.reading
  const id = newId()
  await ctx.tx.insert(importBatch).values({
    id,
    ownerId: ctx.user.id,
    kind: kindOf(definition.feature),
    format,
    fileName: input.fileName ?? null,
  })
  const zone = await zoneOf(ctx.tx, ctx.user.id)
  const checker = new RowChecker(ctx, definition, { fields, source, format, zone, mapping: input.mapping })
  for await (const chunk of chunksOf(leanly(source.rows))) {
    const staged = await checker.check(chunk)
    await stageRows(ctx.tx, secrets, id, staged)
  }
  if (checker.total === 0) throw new AppError('import.empty')
  await markDuplicates(ctx, definition, id)
  const [row] = await ctx.tx
    .update(importBatch)
    .set({
      columns: source.columns,
      mapping: checker.mapping,
      total: checker.total,
      ...countsOf(id),
    })
    .where(eq(importBatch.id, id))
    .returning()
  if (!row) throw new Error(`the import ${id} vanished`)
  return {
    import: await importView(ctx.tx, row),
    detected: source.reading,
    columns: source.columns,
    fields: fields.map(({ name, required }) => ({ name, required })),
    mapping: checker.mapping,
    preview: checker.preview,
    problems: checker.problems,
  }
}

function kindOf(feature: EventFeature) {
  const kind = IMPORT_KINDS.find((one) => one === feature)
  if (!kind) throw new Error(`there is no import of ${feature}`)
  return kind
}

async function* chunksOf(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow[]> {
  let chunk: SourceRow[] = []
  for await (const row of rows) {
    chunk.push(row)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

interface CheckedRow {
  staged: StagedRow
  input: object | undefined
}

/** How rows are read. */
interface Reading {
  fields: readonly ImportField[]
  source: RowSource
  format: RowFormat
  /** The zone of days. */
  zone: string
  mapping: string | undefined
}

/** Checks rows as they come; columns may still be added while it does. */
class RowChecker<T extends ResourceTable, V extends CommonView, I extends object> {
  total = 0
  mapping: Record<string, string> = {}
  readonly preview: Check['preview'] = []
  readonly problems: Check['problems'] = []
  readonly #ctx: CallContext
  readonly #definition: ResourceDefinition<T, V, I>
  readonly #fields: readonly ImportField[]
  readonly #source: RowSource
  readonly #format: RowFormat
  readonly #zone: string
  readonly #given: Record<string, string> | undefined
  readonly #pace = new Pace()
  #columnCount = -1
  #toInput: (values: readonly string[]) => Record<string, unknown> = () => ({})
  #secretColumns = new Set<number>()

  constructor(
    ctx: CallContext,
    definition: ResourceDefinition<T, V, I>,
    { fields, source, format, zone, mapping }: Reading,
  ) {
    this.#ctx = ctx
    this.#definition = definition
    this.#fields = fields
    this.#source = source
    this.#format = format
    this.#zone = zone
    this.#given = mapping === undefined ? undefined : readMapping(mapping, fields)
  }

  async check(rows: readonly SourceRow[]): Promise<StagedRow[]> {
    if (this.total + rows.length > MAX_ROWS) throw new AppError('import.too_many_rows', { maximum: MAX_ROWS })
    this.#learnColumns()
    const checked: CheckedRow[] = []
    for (const row of rows) {
      checked.push(this.#checkRow(row))
      if (this.#pace.due) await this.#pace.turn()
    }
    await this.#checkLinks(checked)
    return checked.map(({ staged }) => {
      for (const problem of staged.problems ?? [])
        if (this.problems.length < SHOWN_PROBLEMS) this.problems.push({ row: staged.row, ...problem })
      if (staged.problems?.length === 0) staged.problems = null
      return staged
    })
  }

  #learnColumns(): void {
    const { columns } = this.#source
    if (columns.length === this.#columnCount) return
    this.#columnCount = columns.length
    const missing = Object.values(this.#given ?? {}).find((column) => !columns.includes(column))
    if (missing !== undefined && this.#format !== 'ndjson' && this.#format !== 'json')
      throw new AppError('import.bad_mapping', { column: missing })
    this.mapping = this.#given ?? suggestMapping(this.#fields, columns)
    this.#toInput = rowReader(this.#fields, this.mapping, columns, this.#format, this.#zone)
    this.#secretColumns = new Set(
      this.#fields
        .filter((field) => field.secret)
        .map((field) => columns.indexOf(this.mapping[field.name] ?? '')),
    )
  }

  #checkRow({ values, problem }: SourceRow): CheckedRow {
    this.total += 1
    const staged: StagedRow = { row: this.total, values, identity: null, problems: [] }
    if (this.preview.length < PREVIEW) this.preview.push({ row: this.total, values: this.#shown(values) })
    if (problem) {
      staged.problems = [{ path: '', ...problem }]
      return { staged, input: undefined }
    }
    const raw = this.#toInput(values)
    const parsed = this.#definition.imported.schema.safeParse(raw)
    if (!parsed.success) {
      staged.problems = fieldErrors(parsed.error, raw)
      return { staged, input: undefined }
    }
    staged.identity = this.#definition.identity?.ofInput(parsed.data as I) ?? null
    return { staged, input: parsed.data }
  }

  #shown(values: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      this.#source.columns.map((column, index) => {
        const value = values[index] ?? ''
        return [column, this.#secretColumns.has(index) && value !== '' ? MASK : value.slice(0, 500)]
      }),
    )
  }

  async #checkLinks(checked: readonly CheckedRow[]): Promise<void> {
    for (const { field, visible } of this.#definition.links) {
      const linked = checked.flatMap(({ staged, input }) => {
        const id: unknown = input && Reflect.get(input, field)
        return typeof id === 'string' ? [{ staged, id }] : []
      })
      if (linked.length === 0) continue
      const seen = await visible(
        this.#ctx,
        linked.map(({ id }) => id),
      )
      for (const { staged, id } of linked)
        if (!seen.has(id))
          staged.problems?.push({ path: field, code: 'link.not_found', message: 'Not found' })
    }
  }
}

/**
 * Marks good rows that repeat an earlier one of the file, or that the owner has already; of those it notes which record
 * they mean.
 */
async function markDuplicates(
  ctx: CallContext,
  { identity, table }: Pick<ResourceDefinition, 'identity' | 'table'>,
  importId: string,
): Promise<void> {
  if (!identity) return
  // The planner knows nothing of rows that were just written and would take a nested loop for cheap.
  await ctx.tx.execute(sql`set local enable_nestloop = off`)
  await ctx.tx.execute(sql`
    update import_row r set duplicate = true, record_id = t.id
    from (select row, identity, row_number() over (partition by identity order by row) as nth
        from import_row where import_id = ${importId} and problems is null and identity is not null) k
      left join (select distinct on (identity) id, identity
          from (select ${table.id} as id, ${identity.ofRow} as identity from ${table}
            where ${table.ownerId} = ${ctx.user.id} and ${table.deletedAt} is null) existing
          order by identity, id) t on t.identity = k.identity
    where r.import_id = ${importId} and r.row = k.row and (k.nth > 1 or t.identity is not null)`)
  await ctx.tx.execute(sql`set local enable_nestloop = on`)
}

/** Every row is one of these three. */
function countsOf(importId: string) {
  const count = (which: ReturnType<typeof sql>) =>
    sql<number>`(select count(*) from import_row where import_id = ${importId} and ${which})`
  return {
    good: count(sql`problems is null and not duplicate`),
    bad: count(sql`problems is not null`),
    duplicates: count(sql`duplicate`),
  }
}
