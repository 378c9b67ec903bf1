import type { Tones } from '../../kit/status/tones.ts'

/** Tones of why an account waits for a person. */
export const REASON_TONES: Tones = {
  challenge: 'violet',
  rejected: 'red',
  expired: 'red',
  expiring: 'amber',
  first: 'blue',
}
/** Tones of how far an attended run is. */
export const STATE_TONES: Tones = {
  waiting: 'blue',
  starting: 'blue',
  open: 'violet',
  saving: 'blue',
  saved: 'green',
  closed: 'neutral',
  discarded: 'neutral',
  timeOver: 'amber',
  failed: 'red',
  lost: 'red',
  notTaken: 'amber',
}
