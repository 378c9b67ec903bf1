import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../../kit/app-error.ts'
import type { Tx } from '../../kit/context.ts'
import { recordset } from '../../kit/recordset.ts'
import type { LeasedKind } from './lease-table.ts'

/** A resource that a run is to hold, and how to name it to who is told that another has it. */
export interface WantedLease {
  kind: LeasedKind
  resource: string
  slot: number
  name: string
}

const row = z.object({ kind: z.string() })

/**
 * Holds resources for a run that a person begins: it has them at once or is refused. Where something else holds one, all is
 * taken back with the transaction.
 */
export async function takeLeases(tx: Tx, runId: string, wanted: readonly WantedLease[]): Promise<void> {
  if (wanted.length === 0) return
  const leases = wanted.map(({ name: _name, ...lease }) => ({ ...lease, run: runId }))
  const { rows } = await tx.execute(sql`
    insert into resource_lease (kind, resource_id, slot, run_id)
    select v.kind, v.resource, v.slot, v.run
    from ${recordset({ kind: 'text', resource: 'uuid', slot: 'int', run: 'uuid' }, leases)}
    order by v.kind, v.resource on conflict do nothing returning kind`)
  const got = new Set(rows.map((raw) => row.parse(raw).kind))
  const missing = wanted.find(({ kind }) => !got.has(kind))
  if (missing) throw new AppError('attended.held', { what: missing.name })
}
