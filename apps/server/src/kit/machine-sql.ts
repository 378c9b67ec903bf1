import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { statesAllowing, type Machine } from '@weft/contract/core/machine'

/** The state that `event` leads to, as SQL over the state column: the `set` of a compare-and-set. */
export function stateAfter<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  event: Event,
  column: SQLWrapper,
): SQL {
  const cases = statesAllowing(machine, event).map(
    (from) => sql` when ${from} then ${machine.states[from][event] ?? from}`,
  )
  return sql`(case ${column}${sql.join(cases, sql``)} else ${column} end)`
}

/** Whether `event` may happen in the state of the column: the `where` of a compare-and-set. */
export function stateAllows<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  event: Event,
  column: SQLWrapper,
): SQL {
  return sql`${column} in (${sql.join(
    statesAllowing(machine, event).map((state) => sql`${state}`),
    sql`, `,
  )})`
}
