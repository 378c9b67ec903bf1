import type { Tones } from '../../kit/status/tones.ts'

/** How the three truths of a client are coloured where they differ from the shared tones. */
export const CONNECTION_TONES: Tones = {
  never: 'neutral',
  online: 'green',
  late: 'amber',
  lost: 'red',
  offline: 'neutral',
}

/** Tones of what a client is allowed to do. */
export const ADMIN_TONES: Tones = {
  enabled: 'green',
  paused: 'amber',
  draining: 'amber',
  disabled: 'neutral',
  revoked: 'red',
}
