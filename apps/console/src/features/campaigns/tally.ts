import type { Tally } from '@weft/contract/campaigns/schema'
import { ITEM_STATES, SETTLED_ITEMS, type ItemState } from '@weft/contract/campaigns/states'
import { toneOf } from '../../kit/status/tones.ts'

/** The order in which a bar shows the states: what is over first, what is under way last; what waits is its empty rest. */
const BAR_ORDER: readonly ItemState[] = [
  'done',
  'failed',
  'uncertain',
  'skipped',
  'cancelled',
  'running',
  'leased',
]

/** Items that are over, uncertain ones not among them. */
export function settledOf(tally: Tally): number {
  return SETTLED_ITEMS.reduce((sum, state) => sum + tally[state], 0)
}

/** The parts of a campaign's bar; `nameOf` gives a state its word. */
export function segmentsOf(tally: Tally, nameOf: (state: ItemState) => string) {
  return BAR_ORDER.filter((state) => tally[state] > 0).map((state) => ({
    value: tally[state],
    tone: toneOf(state),
    label: nameOf(state),
  }))
}

/** The states that have items, those of the bar first. */
export function statesWithItems(tally: Tally): ItemState[] {
  const all = [...BAR_ORDER, ...ITEM_STATES.filter((state) => !BAR_ORDER.includes(state))]
  return all.filter((state) => tally[state] > 0)
}
