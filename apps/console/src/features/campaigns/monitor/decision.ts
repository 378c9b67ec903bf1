import type { Item } from '@weft/contract/campaigns/schema'
import { store } from '../../../lib/emitter.ts'

/** What a person may decide about an item that nobody knows the end of. */
export const DECISIONS = ['done', 'retry', 'skip'] as const
export type Decision = (typeof DECISIONS)[number]

/** The decision that is being made, for the dialog that explains what it means. */
export const deciding = store<{ item: Item; decision: Decision } | null>(null)
