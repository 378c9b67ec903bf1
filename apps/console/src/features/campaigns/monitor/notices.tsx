import { useSyncExternalStore } from 'react'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign, Item } from '@weft/contract/campaigns/schema'
import { minuteClock } from '../../../kit/values/clock.ts'
import { useFormats } from '../../../lib/formats.ts'
import { useRead } from '../../../lib/query.ts'
import { codeText, useT } from '../text.ts'
import classes from './monitor.module.css'
import { isStalled } from './stall.ts'
import { WaitList } from './wait-reasons.tsx'

/** What there is to say about the campaign as a whole: why it is in its state, when it begins, that nothing moves. */
export function Notices({ campaign }: { campaign: Campaign }) {
  const now = useSyncExternalStore(minuteClock.subscribe, minuteClock.get)
  return (
    <>
      <StateNotice campaign={campaign} now={now} />
      {isStalled(campaign, now) && <StallNotice campaign={campaign} />}
    </>
  )
}

function StateNotice({ campaign, now }: { campaign: Campaign; now: number }) {
  const t = useT()
  const formats = useFormats()
  const { state, stateReason, schedule } = campaign
  if (state === 'scheduled' && schedule.mode === 'at')
    return (
      <p className={classes.notice} data-tone="blue">
        {t('notices.scheduled', {
          time: formats.exact(schedule.at),
          when: formats.duration(Math.max(0, Date.parse(schedule.at) - now)),
        })}
      </p>
    )
  if (state === 'pausing' || state === 'cancelling')
    return (
      <p className={classes.notice} data-tone="amber">
        {t(`notices.${state}`, { count: campaign.tally.leased + campaign.tally.running })}
      </p>
    )
  // That a person paused it, the history tells; what waits for a person has a panel of its own.
  if (!stateReason || stateReason === 'operator') return null
  if (stateReason === 'needs_person' && campaign.tally.uncertain > 0) return null
  const words = codeText(`stateReason.${stateReason}`)
  if (!words) return null
  return (
    <p className={classes.notice} data-tone={stateReason === 'needs_person' ? 'violet' : 'amber'}>
      {words}
    </p>
  )
}

/** Nothing moves: says why the first items wait. */
function StallNotice({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const waiting = useRead(
    campaigns.items,
    { id: campaign.id, state: ['ready', 'planned'], perPage: 5, sortBy: 'seq' },
    { every: 15_000, keep: true },
  )
  const rows: readonly Item[] = waiting.data?.data ?? []
  const reasons = new Map(rows.flatMap((item) => item.waitReasons).map((reason) => [reason.code, reason]))
  return (
    <output className={classes.notice} data-tone="amber">
      <strong>{t('notices.stalled')}</strong>
      {reasons.size > 0 && <WaitList reasons={[...reasons.values()]} />}
    </output>
  )
}
