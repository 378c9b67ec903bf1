import type { Tones } from '../../kit/status/tones.ts'

/** Tones of an account's status where they differ from the shared ones. */
export const ACCOUNT_TONES: Tones = { ready: 'green', paused: 'amber', limited: 'amber' }
