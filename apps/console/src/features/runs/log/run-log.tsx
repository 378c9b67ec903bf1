import { Button } from '@mantine/core'
import type { RunDetail } from '@weft/contract/runs/schema'
import { LogView } from '../../../kit/log/log-view.tsx'
import { Failure, LinesSkeleton } from '../../../kit/states/states.tsx'
import { useT } from '../text.ts'
import { useRunLog } from './use-run-log.ts'

/** The log of a run, live while it goes on. */
export function RunLog({ run }: { run: RunDetail }) {
  const t = useT()
  const { log, error, readEarlier, retry } = useRunLog(run.id, run.logBytes, run.cycle !== 'finished')
  if (!log) return error ? <Failure error={error} retry={retry} /> : <LinesSkeleton lines={8} />
  return (
    <>
      {log.start > 0 && (
        <Button size="compact-sm" variant="subtle" mb={8} onClick={() => void readEarlier()}>
          {t('log.earlier')}
        </Button>
      )}
      <LogView lines={log.lines} />
    </>
  )
}
