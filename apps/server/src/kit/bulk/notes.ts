import { sql } from 'drizzle-orm'
import type { Decisions, Work } from '../context.ts'
import type { Reader } from '../resource/definition.ts'

/** On whose behalf a bulk is done. */
export interface Doer extends Pick<Decisions, 'can' | 'scope'> {
  user: Reader['user']
  address: string
  requestId: string
}

/** What a step did. */
export interface StepTally {
  processed: number
  done: number
  unchanged: number
  refused: number
}

/** Up to so many records are told one by one; of more, one event for each owner says that there were many. */
export const MAX_EVENTS = 100

/** A record that was left as it is, and why. */
export interface Refusal {
  id: string
  name: string
  code: string
}

/** Remembers how each changed record was, and why the others were not. */
export async function noteRows(
  { tx }: Work,
  bulkId: string,
  done: readonly { id: string; version: number; before: object }[],
  refused: readonly Refusal[],
): Promise<void> {
  const column = (values: readonly unknown[]) => sql`${sql.param([...values])}`
  if (done.length > 0)
    await tx.execute(sql`
      insert into bulk_row (bulk_id, record_id, version, before)
      select ${bulkId}::uuid, v.id, v.version, v.before::jsonb
      from unnest(${column(done.map(({ id }) => id))}::uuid[], ${column(done.map(({ version }) => version + 1))}::int[],
        ${column(done.map(({ before }) => JSON.stringify(before)))}::text[]) as v (id, version, before)`)
  if (refused.length > 0)
    await tx.execute(sql`
      insert into bulk_row (bulk_id, record_id, code, name)
      select ${bulkId}::uuid, v.id, v.code, v.name
      from unnest(${column(refused.map(({ id }) => id))}::uuid[], ${column(refused.map(({ code }) => code))}::text[],
        ${column(refused.map(({ name }) => name))}::text[]) as v (id, code, name)`)
}
