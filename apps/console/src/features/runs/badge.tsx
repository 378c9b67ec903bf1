import type { Run } from '@weft/contract/runs/schema'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { useT } from './text.ts'

/** What became of a run; while it is under way, where it stands. */
export function RunBadge({ run }: { run: Pick<Run, 'cycle' | 'result' | 'cancelRequestedAt'> }) {
  const t = useT()
  if (run.result === null && run.cancelRequestedAt)
    return <StatusBadge value="cancelling" text={t('cancelling')} />
  return <StatusBadge value={run.result ?? run.cycle} />
}
