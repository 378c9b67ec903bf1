import { Loader } from '@mantine/core'
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconClockHour4,
  IconPin,
} from '@tabler/icons-react'
import { memo, useCallback, useSyncExternalStore } from 'react'
import { useT } from '../../text.ts'
import { useTestDesk } from './test-desk.ts'
import classes from './test.module.css'

const ICONS = {
  waiting: IconClockHour4,
  succeeded: IconCircleCheck,
  failed: IconCircleX,
  skipped: IconCircleMinus,
  cancelled: IconCircleDashed,
} as const

/** Where a step is in the test run that is shown, and whether a pinned output stands in for it. */
export const StepMark = memo(function StepMark({ stepId }: { stepId: string }) {
  const t = useT()
  const { marks } = useTestDesk()
  const subscribe = useCallback((listener: () => void) => marks.subscribe(stepId, listener), [marks, stepId])
  const { state, pinned } = useSyncExternalStore(subscribe, () => marks.get(stepId))
  if (state === null && !pinned) return null
  const Icon = state === null || state === 'running' ? null : ICONS[state]
  return (
    <>
      {pinned && (
        <span className={classes.mark} data-state="pinned" title={t('test.states.pinned')}>
          <IconPin size={15} aria-hidden />
          <span className="unseen">{t('test.states.pinned')}</span>
        </span>
      )}
      {state !== null && (
        <span className={classes.mark} data-state={state} title={t(`test.states.${state}`)}>
          {Icon ? <Icon size={16} aria-hidden /> : <Loader size={14} color="blue" aria-hidden />}
          <span className="unseen">{t(`test.states.${state}`)}</span>
        </span>
      )}
    </>
  )
})
