import { Alert, Button } from '@mantine/core'
import { useCallback, useMemo, useRef, useState, type RefObject } from 'react'
import { attendedRuns } from '@weft/contract/attended-runs/api'
import type { AttendedRun, AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Page } from '../../../kit/page/page.tsx'
import { Load } from '../../../kit/states/states.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { useRead } from '../../../lib/query.ts'
import { OpenHost } from '../open-host.tsx'
import { DESK_PATH } from '../paths.ts'
import { useT } from '../text.ts'
import { STATE_TONES } from '../tones.ts'
import { AddressBar } from './bar.tsx'
import { NoPicture } from './ended.tsx'
import { Hands, type Line } from './hands.ts'
import { Question } from './question.tsx'
import { Screen } from './screen.tsx'
import { TimeLeft } from './time-left.tsx'
import { useFrames } from './use-frames.ts'
import classes from './viewer.module.css'
import { WriteField } from './write-field.tsx'

const LOOK_MS = 1500
const OPEN_LOOK_MS = 10_000
const OVER: readonly AttendedRun['state'][] = ['saved', 'discarded', 'timeOver', 'failed', 'lost', 'notTaken']

/** One browser that a person has in hand: its picture, and everything to work it with. */
export function ViewerPage({ id }: { id: string }) {
  const [every, setEvery] = useState(LOOK_MS)
  const record = useRead(attendedRuns.get, { id }, { every })
  const state = record.data?.state
  const wanted = state && OVER.includes(state) ? 0 : state === 'open' ? OPEN_LOOK_MS : LOOK_MS
  if (state && wanted !== every) setEvery(wanted)
  const { refetch, dataUpdatedAt } = record
  const look = useCallback(() => void refetch(), [refetch])
  return <Load of={record}>{(run) => <Viewer key={run.id} run={run} at={dataUpdatedAt} look={look} />}</Load>
}

function Viewer({ run, at, look }: { run: AttendedRun; at: number; look: () => void }) {
  const t = useT()
  const name = run.accountName ?? run.profileName
  const [watching, setWatching] = useState(false)
  const live = !OVER.includes(run.state)
  const canvas = useRef<HTMLCanvasElement>(null)
  const leave = useRef<HTMLButtonElement>(null)
  const [line, setLine] = useState<Line>(null)
  const hands = useMemo(
    () =>
      new Hands(run.id, (next, error) => {
        setLine(next)
        if (error) look()
      }),
    [run.id, look],
  )
  const follows = live && (run.mine || watching) && (run.state === 'open' || run.state === 'saving')
  const { meta, lost } = useFrames(run.id, canvas, { enabled: follows, onOver: look })
  const acting = run.can.includes('input')
  const act = useMemo(() => (acting ? (event: AttendInput) => hands.do(event) : null), [acting, hands])
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
        {picture && (
          <>
            <div className={classes.top}>
              <AddressBar meta={meta} act={act} />
              <Facts run={run} at={at} line={lost ? 'lost' : line} />
            </div>
            <Notice notice={meta?.notice ?? null} />
            {meta?.dialog && <Question key={meta.dialog.message} dialog={meta.dialog} act={act} />}
            <Screen canvas={canvas} meta={meta} act={act} onLeave={() => leave.current?.focus()} />
            {act && (
              <>
                <WriteField act={act} />
                <p id="desk-keys-help" className={classes.help}>
                  {t('viewer.keysHelp')}
                </p>
              </>
            )}
          </>
        )}
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
      await confirm({ name: run.accountName ?? run.profileName, text: t('viewer.discardText'), danger: true })
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

function Facts({ run, at, line }: { run: AttendedRun; at: number; line: Line }) {
  const t = useT()
  return (
    <div className={classes.facts}>
      <span>
        <bdi>{run.clientName}</bdi>
      </span>
      <span data-lost={line === 'lost'} role={line === 'lost' ? 'alert' : undefined}>
        {line === 'lost'
          ? t('viewer.lineLost')
          : line
            ? t('viewer.line', { ms: line.ms })
            : t('viewer.lineGood')}
      </span>
      {run.secondsLeft !== null && <TimeLeft seconds={run.secondsLeft} at={at} />}
    </div>
  )
}

function Notice({ notice }: { notice: FrameMeta['notice'] }) {
  const t = useT()
  return <output className={classes.notice}>{notice && t(`notice.${notice}`)}</output>
}
