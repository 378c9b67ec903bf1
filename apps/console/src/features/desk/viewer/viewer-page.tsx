import { Alert, Button } from '@mantine/core'
import { useRef, useState, type RefObject } from 'react'
import { attendedRuns } from '@weft/contract/attended-runs/api'
import type { AttendedRun } from '@weft/contract/attended-runs/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Page } from '../../../kit/page/page.tsx'
import { Load } from '../../../kit/states/states.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { OpenHost } from '../open-host.tsx'
import { DESK_PATH } from '../paths.ts'
import { useT } from '../text.ts'
import { STATE_TONES } from '../tones.ts'
import { NoPicture } from './ended.tsx'
import classes from '../../live-browser/live-browser.module.css'
import { LiveBrowser, useLive } from '../../live-browser/live-browser.tsx'
import { deskCalls } from '../../live-browser/live-calls.ts'
import { isUnderWay, useAttendedRun } from '../../live-browser/use-attended-run.ts'

/** One browser that a person has in hand: its picture, and everything to work it with. */
export function ViewerPage({ id }: { id: string }) {
  const { record, at, look } = useAttendedRun(attendedRuns.get, id)
  return <Load of={record}>{(run) => <Viewer key={run.id} run={run} at={at} look={look} />}</Load>
}

function Viewer({ run, at, look }: { run: AttendedRun; at: number; look: () => void }) {
  const t = useT()
  const name = run.accountName ?? run.profileName ?? ''
  const [watching, setWatching] = useState(false)
  const live = isUnderWay(run)
  const leave = useRef<HTMLButtonElement>(null)
  const follows = live && (run.mine || watching) && (run.state === 'open' || run.state === 'saving')
  const browser = useLive({ calls: deskCalls, run, at, follows, look })
  const picture = follows && run.state === 'open'
  return (
    <Page
      title={t('viewer.title', { name })}
      back={DESK_PATH}
      status={<StatusBadge feature="desk" field="state" value={run.state} tones={STATE_TONES} />}
      actions={live && run.mine ? <Ends run={run} leave={leave} /> : undefined}
    >
      <div className={classes.viewer}>
        {live && !run.mine && (
          <SomebodyElse run={run} watching={watching} onWatch={() => setWatching(true)} />
        )}
        {picture && <LiveBrowser live={browser} onLeave={() => leave.current?.focus()} />}
        {!picture && (run.mine || watching || !live) && <NoPicture run={run} />}
      </div>
      <OpenHost />
    </Page>
  )
}

/** Done, discard, more time. */
function Ends({ run, leave }: { run: AttendedRun; leave: RefObject<HTMLButtonElement | null> }) {
  const t = useT()
  const finish = useChange(attendedRuns.finish, { invalidates: ['accounts', 'profiles'] })
  const prolong = useChange(attendedRuns.prolong, { done: t('viewer.prolonged') })
  const discard = async () => {
    if (
      await confirm({
        name: run.accountName ?? run.profileName ?? '',
        text: t('viewer.discardText'),
        danger: true,
      })
    )
      finish.mutate({ id: run.id, save: false })
  }
  return (
    <>
      {run.can.includes('prolong') && (
        <Button
          variant="subtle"
          color="gray"
          loading={prolong.isPending}
          onClick={() => prolong.mutate({ id: run.id })}
        >
          {t('viewer.prolong')}
        </Button>
      )}
      <Button
        ref={leave}
        variant="default"
        onClick={() => void discard()}
        disabled={!run.can.includes('discard')}
      >
        {t('viewer.discard')}
      </Button>
      <Button
        disabled={!run.can.includes('save')}
        loading={finish.isPending || run.state === 'saving'}
        onClick={() => finish.mutate({ id: run.id, save: true })}
      >
        {t('viewer.done')}
      </Button>
    </>
  )
}

/** Somebody else has the browser in hand: look on, or take over once they are away. */
function SomebodyElse(props: { run: AttendedRun; watching: boolean; onWatch: () => void }) {
  const t = useT()
  const { run, watching, onWatch } = props
  const watch = useChange(attendedRuns.watch, { onDone: onWatch })
  const takeOver = useChange(attendedRuns.takeOver)
  return (
    <Alert color="violet" title={t('viewer.somebody', { name: run.holderName })}>
      <p className={classes.help}>{t(run.away ? 'viewer.awayText' : 'viewer.somebodyText')}</p>
      <div className={classes.choices}>
        {!watching && (
          <Button variant="default" loading={watch.isPending} onClick={() => watch.mutate({ id: run.id })}>
            {t('viewer.watch')}
          </Button>
        )}
        <Button
          disabled={!run.can.includes('takeOver')}
          loading={takeOver.isPending}
          onClick={() => takeOver.mutate({ id: run.id })}
        >
          {t('viewer.takeOver')}
        </Button>
      </div>
    </Alert>
  )
}
