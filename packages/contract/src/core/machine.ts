/**
 * A life cycle as one table: for each state, what may happen and where it leads. The database compares and sets by it,
 * the console asks it what is possible, and tests walk it.
 */
export interface Machine<State extends string, Event extends string> {
  readonly initial: State
  readonly states: Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>
}

/** Where `event` leads from `state`, or undefined where it may not happen. */
export function next<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State | undefined {
  return machine.states[state][event]
}

/** The states from which `event` may happen: the `where` of a compare-and-set. */
export function statesAllowing<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  event: Event,
): State[] {
  return (Object.keys(machine.states) as State[]).filter(
    (state) => machine.states[state][event] !== undefined,
  )
}

/** States that nothing leads out of. */
export function finalStates<State extends string, Event extends string>(
  machine: Machine<State, Event>,
): State[] {
  return (Object.keys(machine.states) as State[]).filter(
    (state) => Object.keys(machine.states[state]).length === 0,
  )
}
