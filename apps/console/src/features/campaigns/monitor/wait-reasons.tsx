import { Tooltip } from '@mantine/core'
import type { WaitReason } from '@weft/contract/campaigns/schema'
import { useFormats } from '../../../lib/formats.ts'
import { useT } from '../text.ts'
import classes from './monitor.module.css'
import { waitText } from './wait-words.ts'

/** Why an item waits: the first reason in the row, all of them on hover or focus. */
export function WaitLine({ reasons }: { reasons: readonly WaitReason[] }) {
  const t = useT()
  const formats = useFormats()
  const [first, ...others] = reasons
  if (!first) return null
  const words = waitText(first, formats)
  if (others.length === 0) return <span className={classes.waitLine}>{words}</span>
  return (
    <Tooltip label={<WaitList reasons={reasons} />}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its tooltip is read by keyboard too */}
      <span className={classes.waitLine} tabIndex={0}>
        {words} <span className={classes.more}>{t('wait.more', { count: others.length })}</span>
      </span>
    </Tooltip>
  )
}

/** All reasons, one a line. */
export function WaitList({ reasons }: { reasons: readonly WaitReason[] }) {
  const formats = useFormats()
  return (
    <ul className={classes.waitList}>
      {reasons.map((reason) => (
        <li key={`${reason.code}${JSON.stringify(reason.params)}`}>{waitText(reason, formats)}</li>
      ))}
    </ul>
  )
}
