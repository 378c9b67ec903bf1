import { sql, type SQL } from 'drizzle-orm'
import type { Action } from '@weft/contract/core/permissions'
import type { Decisions, SignedInUser } from '../../kit/context.ts'
import { runScope } from './scope.ts'
import { run } from './table.ts'

/** What the rules of campaigns see of a run. */
export const RUN_COLUMNS = runScope

/** Whether somebody may act on a run: as on its campaign; whoever started a test run may see and stop it. */
export function mayOfRun(
  { scope, user }: Pick<Decisions, 'scope'> & { user: SignedInUser },
  action: Action,
): SQL {
  const byRules = scope(action, 'CAMPAIGN', RUN_COLUMNS)
  return sql`(${byRules} or (${run.release} is null and ${run.ownerId} = ${user.id}
    and exists (select 1 from test_run mine where mine.run_id = ${run.id} and mine.started_by = ${user.id})))`
}
