import { sql } from 'drizzle-orm'
import type { RunEventMessage } from '@weft/contract/agents/reports'
import { runMachine } from '@weft/contract/runs/schema'
import { stateAfter, stateAllows } from '../../kit/machine-sql.ts'
import { recordset } from '../../kit/recordset.ts'
import { newId } from '../../kit/id.ts'
import type { Tx } from '../../kit/context.ts'
import type { HeldRun } from './work.ts'

/** The events of a report that are new and contiguous; what was stored before, or comes after a gap, is left out. */
export function fresh(events: readonly RunEventMessage[], ack: number): RunEventMessage[] {
  const taken: RunEventMessage[] = []
  let expected = ack + 1
  for (const event of [...events].sort((a, b) => a.seq - b.seq)) {
    if (event.seq < expected) continue
    if (event.seq > expected) break
    taken.push(event)
    expected += 1
  }
  return taken
}

/** What a batch of events does to the run's own columns. Pure. */
export function digest(run: Pick<HeldRun, 'intents' | 'confirmed'>, events: readonly RunEventMessage[]) {
  const intents = new Set(run.intents)
  const confirmed = new Set(run.confirmed)
  let step: string | null = null
  let phase: 'wait' | 'go' | null = null
  for (const event of events) {
    if (event.type === 'stepStarted') step = event.name
    if (event.type === 'intent') intents.add(event.path)
    if (event.type === 'confirm') {
      intents.delete(event.path)
      if (event.effect === 'done') confirmed.add(event.path)
    }
    if (event.type === 'waiting') phase = 'wait'
    if (event.type === 'going') phase = 'go'
  }
  return { intents: [...intents], confirmed: [...confirmed], step, phase }
}

/** New events of one run, as `store` takes them. */
export interface Batch {
  run: HeldRun
  events: RunEventMessage[]
}

/** What new events change of their run. */
export type Change = ReturnType<typeof digest> & { run: string; ack: number }

const CHANGE = {
  run: 'uuid',
  ack: 'int',
  intents: 'jsonb',
  confirmed: 'jsonb',
  step: 'text',
  phase: 'text',
} as const
const FILE = {
  id: 'uuid',
  owner: 'uuid',
  run: 'uuid',
  seq: 'int',
  kind: 'text',
  step: 'text',
  path: 'text',
  name: 'text',
  size: 'bigint',
  sha: 'text',
  type: 'text',
  at: 'timestamptz',
} as const

/**
 * Stores events of several runs and carries what they mean into the runs, in three statements. Gives the acknowledged
 * number of each run.
 */
export async function store(tx: Tx, batches: readonly Batch[]): Promise<Map<string, number>> {
  const changes = await keepEvents(tx, batches)
  await carry(tx, [...changes.values()])
  return new Map(batches.map(({ run }) => [run.id, run.events_ack]))
}

/** Stores events of several runs, with the files that they name, and gives what they change of each run. */
export async function keepEvents(tx: Tx, batches: readonly Batch[]): Promise<Map<string, Change>> {
  const rows: { run: string; first: number; last: number; events: RunEventMessage[] }[] = []
  const changes = new Map<string, Change>()
  const files: Record<keyof typeof FILE, unknown>[] = []
  for (const { run, events } of batches) {
    const last = events.at(-1)
    const first = events[0]
    if (!first || !last) continue
    rows.push({ run: run.id, first: first.seq, last: last.seq, events })
    const means = digest(run, events)
    run.intents = means.intents
    run.confirmed = means.confirmed
    run.events_ack = last.seq
    changes.set(run.id, { ...means, run: run.id, ack: last.seq })
    for (const event of events)
      if (event.type === 'file')
        files.push({
          id: newId(),
          owner: run.owner_id,
          run: run.id,
          seq: event.seq,
          kind: event.kind,
          step: event.stepId,
          path: event.path,
          name: event.name,
          size: event.size,
          sha: event.sha256,
          type: event.contentType,
          at: event.at,
        })
  }
  if (rows.length === 0) return changes
  await tx.execute(sql`
    insert into run_event (run_id, first_seq, last_seq, events)
    select v.run, v.first, v.last, v.events
    from ${recordset({ run: 'uuid', first: 'int', last: 'int', events: 'jsonb' }, rows)}`)
  if (files.length > 0) {
    // The row in `file` is what keeps the bytes in the store.
    await tx.execute(sql`
      insert into file (id, owner_id, name, size, content_type, sha256, purpose, run_id)
      select v.id, v.owner, v.name, v.size, v.type, v.sha, 'run', v.run from ${recordset(FILE, files)}`)
    await tx.execute(sql`
      insert into run_file (id, run_id, seq, kind, step_id, path, name, size, sha256, content_type, at)
      select v.id, v.run, v.seq, v.kind, v.step, v.path, v.name, v.size, v.sha, v.type, v.at
      from ${recordset(FILE, files)} on conflict do nothing`)
  }
  return changes
}

/** Carries what events mean into their runs. */
export async function carry(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  await tx.execute(sql`
    update run r set events_ack = v.ack, step = coalesce(v.step, r.step),
      intents = array(select jsonb_array_elements_text(v.intents)),
      confirmed = array(select jsonb_array_elements_text(v.confirmed)),
      cycle = case v.phase when 'wait' then ${guarded('wait')} when 'go' then ${guarded('go')} else r.cycle end
    from ${recordset(CHANGE, changes)} where r.id = v.run`)
}

const guarded = (event: 'wait' | 'go') =>
  sql`(case when ${stateAllows(runMachine, event, sql`r.cycle`)} then ${stateAfter(runMachine, event, sql`r.cycle`)} else r.cycle end)`

/** Keeps what came for a run that is over. */
export async function keepLate(tx: Tx, runId: string, kind: string, detail: unknown): Promise<void> {
  await tx.execute(sql`
    insert into run_late_report (run_id, kind, detail)
    select ${runId}::uuid, ${kind}, ${JSON.stringify(detail)}::jsonb
    where (select count(*) from run_late_report where run_id = ${runId}::uuid) < 100`)
}
