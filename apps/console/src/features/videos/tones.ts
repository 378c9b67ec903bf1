import type { Tones } from '../../kit/status/tones.ts'

/** Tones of a video's status where they differ from the shared ones. */
export const VIDEO_TONES: Tones = { ready: 'green' }
