import { StatusBadge } from '../../../../../kit/status/status-badge.tsx'
import type { Tone } from '../../../../../kit/status/tones.ts'
import { useT } from '../../../text.ts'
import type { ShownStanding } from './use-tests.ts'

const TONES: Record<ShownStanding, Tone> = {
  passed: 'green',
  failed: 'red',
  undecided: 'amber',
  stale: 'amber',
  running: 'blue',
  waiting: 'blue',
  never: 'neutral',
}

/** How a test stands, as a word with an icon. */
export function StandingBadge({ standing }: { standing: ShownStanding }) {
  const t = useT()
  return <StatusBadge value={standing} tone={TONES[standing]} text={t(`tests.standings.${standing}`)} />
}
