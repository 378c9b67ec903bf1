import type { Account } from '@weft/contract/accounts/schema'
import { store } from '../../lib/emitter.ts'

/** The secrets of an account, in the order in which they are offered. */
export const SECRETS = ['password', 'totpSeed', 'recoveryCodes'] as const
/** One secret of an account. */
export type Secret = (typeof SECRETS)[number]

/** The account whose secrets are asked for. */
export const revealing = store<Account | null>(null)
