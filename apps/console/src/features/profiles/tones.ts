import type { Tones } from '../../kit/status/tones.ts'

/** Tones of a profile's status where they differ from the shared ones. */
export const PROFILE_TONES: Tones = { ready: 'green' }
