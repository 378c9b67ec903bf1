import { or, sql, type SQL } from 'drizzle-orm'
import { databaseFailure } from '../../db/errors.ts'
import type { Work } from '../context.ts'
import { anyOf, isThrownAway } from '../recordset.ts'
import { scopeColumns, type CommonRow, type RecordDefinition } from '../resource/definition.ts'
import { auditMany } from '../resource/many.ts'
import { selectRows, type LoadedRow } from '../resource/rows.ts'
import { manyOf } from '../resource/visible.ts'
import { MAX_EVENTS, noteRows, type Doer, type Refusal, type StepTally } from './notes.ts'
import type { BulkRecord } from './table.ts'

interface Doomed {
  id: string
  ownerId: string | null
  name: string
  row: LoadedRow
}

/** Whether something uses a record or tells of it, so that it cannot be deleted for good. */
export function staysInTrash({ used, toldOf }: RecordDefinition): SQL {
  return or(used, toldOf) ?? sql`false`
}

/** Deletes for good those of these records that are in the trash, may be deleted and are used by nothing; the history tells how each was. */
export async function purgeMany(
  work: Work,
  doer: Doer,
  definition: RecordDefinition,
  bulk: Pick<BulkRecord, 'id'>,
  ids: readonly string[],
): Promise<StepTally> {
  const { table, subject, feature } = definition
  const { tx } = work
  const columns = scopeColumns(table)
  const among = sql`${table.id} = ${anyOf(ids)} and ${isThrownAway(table)}`
  await tx.execute(sql`select 1 from ${table} where ${among} order by ${table.id} for update`)
  const rows = await selectRows(tx, definition, {
    'purge name': sql`${definition.name}::text`,
    'purge allowed': doer.scope('DELETE', subject, columns),
    'purge used': staysInTrash(definition),
  }).where(sql`${among} and ${doer.scope('VIEW', subject, columns)}`)
  const refused: Refusal[] = []
  const wanted: Doomed[] = []
  const there = new Set<string>()
  for (const loaded of rows) {
    const { id, ownerId } = commonOf(loaded)
    const name = typeof loaded['purge name'] === 'string' ? loaded['purge name'] : ''
    there.add(id)
    if (loaded['purge allowed'] !== true) refused.push({ id, name, code: 'access.denied' })
    else if (loaded['purge used'] === true) refused.push({ id, name, code: 'record.in_use' })
    else wanted.push({ id, ownerId, name, row: loaded })
  }
  for (const id of ids) if (!there.has(id)) refused.push({ id, name: '', code: 'record.not_found' })
  const gone = await remove(work, definition, wanted, refused)
  await noteRows(work, bulk.id, [], refused)
  const nobody = { can: () => false }
  await auditMany(
    tx,
    { id: doer.user.id, name: doer.user.username, address: doer.address, requestId: doer.requestId },
    { feature, label: `${subject.toLowerCase()}.purge` },
    gone.map(({ id, row: { row, ...extras } }) => ({
      id,
      before: remembered(definition.present(row, extras, nobody)),
    })),
  )
  tell(work, definition, gone)
  return { processed: ids.length, done: gone.length, unchanged: 0, refused: refused.length }
}

function commonOf({ row }: LoadedRow): Pick<CommonRow, 'id' | 'ownerId'> {
  const { id, ownerId } = row
  return { id: String(id), ownerId: typeof ownerId === 'string' ? ownerId : null }
}

const NOT_OF_THE_RECORD = new Set(['can', 'cannot', 'lease'])

function remembered(view: object): object {
  return Object.fromEntries(Object.entries(view).filter(([field]) => !NOT_OF_THE_RECORD.has(field)))
}

/** All at once; where something still points to one of them, in halves, so that only that one stays. */
async function remove(
  work: Work,
  definition: RecordDefinition,
  wanted: readonly Doomed[],
  refused: Refusal[],
): Promise<Doomed[]> {
  const [only] = wanted
  if (!only) return []
  try {
    await work.tx.transaction(async (tx) => {
      // Jobs that go with it are written on this same connection: a savepoint that is given up takes them along.
      for (const { row } of definition.purged ? wanted : [])
        await definition.purged?.({ ...work, tx }, row.row)
      await tx.execute(
        sql`delete from ${definition.table} where ${definition.table.id} = ${anyOf(wanted.map(({ id }) => id))}`,
      )
    })
    return [...wanted]
  } catch (error) {
    if (databaseFailure(error)?.code !== '23503') throw error
    if (wanted.length === 1) {
      refused.push({ id: only.id, name: only.name, code: 'record.in_use' })
      return []
    }
    const half = Math.ceil(wanted.length / 2)
    const first = await remove(work, definition, wanted.slice(0, half), refused)
    return [...first, ...(await remove(work, definition, wanted.slice(half), refused))]
  }
}

function tell(work: Work, { feature }: RecordDefinition, gone: readonly Doomed[]): void {
  if (gone.length <= MAX_EVENTS)
    for (const { id, ownerId } of gone) work.event({ feature, id, kind: 'deleted', ownerId })
  else
    for (const ownerId of new Set(gone.map((one) => one.ownerId)))
      work.event({ feature, id: manyOf(ownerId), kind: 'deleted', ownerId })
}
