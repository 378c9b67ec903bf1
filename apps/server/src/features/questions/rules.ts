import { sql, type SQL } from 'drizzle-orm'
import type { QuestionState } from '@weft/contract/questions/schema'
import type { Decisions, SignedInUser } from '../../kit/context.ts'
import { mayOfRun } from '../runs/rules.ts'
import { runHold } from '../runs/hold-table.ts'

/**
 * Whether somebody may answer a question, in a query over `run_hold` and its `run`: whoever may run the campaign, or whoever
 * sees it and is named, by user name or by a role; in a test run whoever started it, since nobody else is told. The one
 * place that decides it.
 */
export function mayAnswer(ctx: Pick<Decisions, 'scope'> & { user: SignedInUser }): SQL {
  const names = sql`(select jsonb_array_elements_text(${runHold.question} -> 'names'))`
  const { id } = ctx.user
  return sql`(${mayOfRun(ctx, 'VIEW')} and case
    when exists (select 1 from test_run mine where mine.run_id = ${runHold.runId} and mine.started_by = ${id}) then true
    else case ${runHold.question} ->> 'who'
    when 'people' then exists (select 1 from app_user me where me.id = ${id} and me.username in ${names})
    when 'roles' then exists (select 1 from user_role ur join role mine on mine.id = ur.role_id and mine.deleted_at is null
      where ur.user_id = ${id} and mine.name in ${names})
    else ${mayOfRun(ctx, 'RUN')} end end)`
}

/** How a question stands. One that asks for nobody any more, since its item was cancelled or skipped, is withdrawn. */
export const QUESTION_STATE = sql<QuestionState>`(case
  when ${runHold.ending} = 'answered' then 'answered'
  when ${runHold.ending} is not null or ${runHold.dueAt} <= now() then 'timed_out'
  when ${runHold.inPlace} and exists (select 1 from run asking where asking.id = ${runHold.runId} and asking.finished_at is null)
    then 'open'
  when not ${runHold.inPlace} and exists (
    select 1 from campaign_item i where i.hold_id = ${runHold.id} and i.state = 'ready') then 'open'
  else 'withdrawn' end)`
