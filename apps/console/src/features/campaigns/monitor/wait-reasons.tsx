import { Tooltip } from '@mantine/core'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { WaitReason } from '@weft/contract/campaigns/schema'
import { minuteClock } from '../../../kit/values/clock.ts'
import { useFormats } from '../../../lib/formats.ts'
import { useT } from '../text.ts'
import classes from './monitor.module.css'
import { waitText } from './wait-words.ts'

/** The title of the campaign that is looked at, so that a reason need not name it. */
export const OwnCampaign = createContext('')

function useWaitText(): (reason: WaitReason) => string {
  const formats = useFormats()
  const title = useContext(OwnCampaign)
  const now = useSyncExternalStore(minuteClock.subscribe, minuteClock.get)
  return (reason) => waitText(reason, formats, { title, now })
}

/** Why an item waits: the first reason in the row, all of them on hover or focus. */
export function WaitLine({ reasons }: { reasons: readonly WaitReason[] }) {
  const t = useT()
  const textOf = useWaitText()
  const [first, ...others] = reasons
  if (!first) return null
  const words = textOf(first)
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
  const textOf = useWaitText()
  return (
    <ul className={classes.waitList}>
      {reasons.map((reason) => (
        <li key={`${reason.code}${JSON.stringify(reason.params)}`}>{textOf(reason)}</li>
      ))}
    </ul>
  )
}
