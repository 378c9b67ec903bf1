import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { statesAllowing, type Machine } from '@weft/contract/core/machine'

/** The state that `event` leads to, as SQL over the state column: the `set` of a compare-and-set. */
export function stateAfter<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  event: Event,
  column: SQLWrapper,
): SQL {
  const cases = statesAllowing(machine, event).map(
    (from) => ` when ${literal(from)} then ${literal(machine.states[from][event] ?? from)}`,
  )
  return sql`(case ${column}${sql.raw(cases.join(''))} else ${column} end)`
}

/** Whether `event` may happen in the state of the column: the `where` of a compare-and-set. */
export function stateAllows<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  event: Event,
  column: SQLWrapper,
): SQL {
  return sql`${column} in (${sql.raw(statesAllowing(machine, event).map(literal).join(', '))})`
}

/** A state's name as it stands in the statement itself: it is the contract's, and never anybody's input. */
function literal(state: string): string {
  if (!/^[a-z_]+$/.test(state)) throw new Error(`${state} is no name of a state`)
  return `'${state}'`
}
