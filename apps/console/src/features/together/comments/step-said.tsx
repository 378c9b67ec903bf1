import { IconMessage2 } from '@tabler/icons-react'
import { memo } from 'react'
import { useFormats } from '../../../lib/formats.ts'
import { useT } from '../text.ts'
import { useAtStep, useTogether } from '../together.ts'
import classes from './comments.module.css'

/** How many threads are open on a step; a press shows them. The keyboard has the step's menu and a key for it. */
export const StepSaid = memo(function StepSaid({ stepId, on }: { stepId: string; on: 'row' | 'card' }) {
  const t = useT()
  const formats = useFormats()
  const together = useTogether()
  const { open, unread } = useAtStep(together.said, stepId)
  if (open === 0) return null
  const label = [t('open', { count: open }), unread > 0 && t('unread', { count: unread })]
    .filter(Boolean)
    .join(' · ')
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${classes.mark} nodrag`}
      data-on={on}
      data-unread={unread > 0 || undefined}
      title={label}
      onClick={(event) => {
        event.stopPropagation()
        together.wanted.emit({ activityId: stepId, write: false })
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <IconMessage2 size={13} aria-hidden />
      <span className="numbers" aria-hidden>
        {formats.number(open)}
      </span>
      <span className="unseen">{label}</span>
    </button>
  )
})
