import type { Tone } from '../../kit/status/tones.ts'

const QUICK_MS = 800
const FAIR_MS = 2_500

/** How a latency is to be taken. */
export function latencyTone(ms: number): Tone {
  if (ms <= QUICK_MS) return 'green'
  return ms <= FAIR_MS ? 'amber' : 'red'
}
