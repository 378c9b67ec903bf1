import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { WaitTold } from '@weft/contract/agents/reports'
import type { JsonObject } from '@weft/workflow/json'
import { HOLD_ENDINGS } from '@weft/workflow/question'
import type { Tx } from '../../kit/context.ts'
import { newId } from '../../kit/id.ts'
import { anyOf, recordset } from '../../kit/recordset.ts'
import { secretPlace } from '../../kit/resource/secrets.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { runHold } from './hold-table.ts'

/** A run that left to wait: for what, and its sealed state. */
export interface NewHold {
  id: string
  wait: WaitTold
  sealed: string
}

/** Seals what a run leaves, for the hold that is made of it. */
export function sealHold(
  secrets: Secrets,
  { state, ...wait }: WaitTold & { state: Record<string, unknown> },
): NewHold {
  const id = newId()
  return { id, wait, sealed: secrets.seal(JSON.stringify(state), secretPlace(runHold, 'state', id)) }
}

const HOLD = {
  id: 'uuid',
  run: 'uuid',
  kind: 'text',
  step: 'text',
  name: 'text',
  path: 'text',
  question: 'jsonb',
  state: 'text',
  seconds: 'float8',
} as const

/** Writes holds of runs that left. What the browser before them kept stays with them until they keep something newer. */
export async function keepHolds(tx: Tx, holds: readonly (NewHold & { runId: string })[]): Promise<void> {
  if (holds.length === 0) return
  const rows = holds.map(({ id, runId, sealed, wait }) => ({
    id,
    run: runId,
    kind: wait.kind,
    step: wait.stepId,
    name: wait.stepName,
    path: wait.path,
    question: wait.question,
    state: sealed,
    seconds: wait.seconds,
  }))
  await tx.execute(sql`
    insert into run_hold (id, run_id, seq, kind, in_place, step_id, step_name, path, question, state, file_id, due_at)
    select v.id, v.run, 1 + coalesce((select max(o.seq) from run_hold o where o.run_id = v.run), 0), v.kind, false,
      v.step, v.name, v.path, v.question, v.state, before.file_id, now() + make_interval(secs => v.seconds)
    from ${recordset(HOLD, rows)} join run r on r.id = v.run left join run_hold before on before.id = r.hold_id`)
}

const ended = {
  ending: z.enum(HOLD_ENDINGS),
  answers: z.record(z.string(), z.unknown()).nullable(),
  by: z.string().nullable(),
}
const endRow = z.object({
  id: z.string(),
  state: z.string(),
  ...ended,
  file: z.object({ sha256: z.string(), size: z.number() }).nullable(),
})

/** With what runs go on that follow a hold, by run; a hold that nobody ended is over now. */
export async function endHolds(tx: Tx, secrets: Secrets, runIds: readonly string[]) {
  const found = await tx.execute(sql`
    with over as (
      update run_hold h set ending = case h.kind when 'time' then 'due' else 'timed_out' end, ended_at = now()
      from run r where r.id = ${anyOf(runIds)} and h.id = r.hold_id and h.ending is null
      returning h.id, h.ending)
    select r.id as run, h.id, h.state, coalesce(o.ending, h.ending) as ending, h.answers, u.username as by,
      case when f.id is not null then json_build_object('sha256', f.sha256, 'size', f.size) end as file
    from run r join run_hold h on h.id = r.hold_id left join over o on o.id = h.id
    left join app_user u on u.id = h.answered_by left join file f on f.id = h.file_id
    where r.id = ${anyOf(runIds)}`)
  return new Map(
    found.rows.map((raw) => {
      const { id, state, ending, answers, by, file } = endRow.parse(raw)
      const opened: unknown = JSON.parse(secrets.open(state, secretPlace(runHold, 'state', id)))
      const goOn = {
        state: z.record(z.string(), z.unknown()).parse(opened),
        end: { ending, answers: answers ?? {}, by },
        snapshot: file,
      }
      return [z.object({ run: z.string() }).parse(raw).run, goOn] as const
    }),
  )
}

const waitRow = z.object({ ...ended, ending: ended.ending.nullable() })

/**
 * What became of a wait that does not leave its run; the first time it is asked for, it begins. It is asked for each second,
 * so nothing is written while nothing changes.
 */
export async function waitInPlace(tx: Tx, runId: string, seq: number, wait: WaitTold) {
  const known = await tx.execute(sql`
    select h.ending, h.answers, (select u.username from app_user u where u.id = h.answered_by) as by
    from run_hold h where h.run_id = ${runId} and h.seq = ${seq} and (h.ending is not null or h.due_at > now())`)
  return endOf(known.rows[0] ?? (await beginOrEnd(tx, runId, seq, wait)))
}

function endOf(raw: unknown) {
  const { ending, answers, by } = waitRow.parse(raw)
  return ending === null ? null : { ending, answers: answers ?? {}, by }
}

async function beginOrEnd(tx: Tx, runId: string, seq: number, wait: WaitTold): Promise<unknown> {
  const question: JsonObject | null = wait.question
  const { rows } = await tx.execute(sql`
    insert into run_hold as h (id, run_id, seq, kind, in_place, step_id, step_name, path, question, due_at, told)
    values (${newId()}, ${runId}, ${seq}, ${wait.kind}, true, ${wait.stepId}, ${wait.stepName}, ${wait.path},
      ${question === null ? null : JSON.stringify(question)}::jsonb, now() + make_interval(secs => ${wait.seconds}), false)
    on conflict (run_id, seq) do update set
      ending = coalesce(h.ending, case when h.due_at > now() then null when h.kind = 'time' then 'due' else 'timed_out' end),
      ended_at = coalesce(h.ended_at, case when h.due_at <= now() then now() end)
    returning h.ending, h.answers, (select u.username from app_user u where u.id = h.answered_by) as by`)
  return rows[0]
}
