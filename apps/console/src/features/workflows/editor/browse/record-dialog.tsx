import { ActionIcon, Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPause, IconPlayerRecord, IconX } from '@tabler/icons-react'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { RECORDED_MOST, type Recorded } from '@weft/contract/attended-runs/watched'
import { confirm } from '../../../../kit/confirm/confirm.ts'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import type { Live } from '../../../live-browser/live-browser.tsx'
import { useT } from '../../../live-browser/text.ts'
import { ActivityIcon } from '../../activity-icon.tsx'
import { insertRecorded, secretNames, stepOfRecorded } from '../../model/recorded.ts'
import { summaryOf } from '../../model/summary.ts'
import { titleOf } from '../catalogue-text.ts'
import { useEditor } from '../context.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'
import { BrowserWindow } from './browser-window.tsx'
import classes from './browse.module.css'
import { browsing } from './browsing.ts'
import { Gathered, type Entry } from './gathered.ts'

/** Records what is done in a client's browser as steps, and puts them into the workflow. */
export default function RecordDialog() {
  const t = useT()
  const { update } = useEditor()
  const [gathered] = useState(() => new Gathered())
  const entries = useValueOf(gathered.entries)
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const close = useRef<() => void>(() => undefined)
  const shown = useMemo(() => entries.filter(({ key }) => !removed.has(key)), [entries, removed])
  const remove = useCallback((key: string) => setRemoved((before) => new Set([...before, key])), [])
  const steps = shown.filter(({ recorded }) => recorded.type !== null)
  const count = steps.length
  const insert = () => {
    const recorded = steps.map((entry) => entry.recorded)
    update((now) => insertRecorded(now, recorded, Date.now()))
    close.current()
  }
  return (
    <BrowserWindow
      purpose="record"
      stepId={null}
      title={t('record.title')}
      mayClose={async () =>
        count === 0 ||
        confirm({
          title: t('record.closeTitle'),
          text: t('record.closeText', { count }),
          confirmLabel: t('record.closeYes'),
          danger: true,
        })
      }
      close={() => browsing.set(null)}
      bindClose={(end) => {
        close.current = end
      }}
      aside={(live) => (
        <>
          <Feed live={live} gathered={gathered} />
          <h3 className={classes.heading}>{t('record.steps', { count })}</h3>
          {shown.length === 0 && <p className={classes.dim}>{t('record.none')}</p>}
          <List shown={shown} remove={remove} />
          {live?.meta?.recording?.full && (
            <Alert color="yellow" role="alert">
              {t('record.full', { most: RECORDED_MOST })}
            </Alert>
          )}
          <div className={classes.tools}>
            {live?.act && !live.meta?.recording?.full && <Pause live={live} />}
            <Button disabled={count === 0} onClick={insert}>
              {t('record.insert', { count })}
            </Button>
          </div>
        </>
      )}
    />
  )
}

/** Brings what is told with the pictures to where it is gathered, and tells that it came. */
function Feed({ live, gathered }: { live: Live | null; gathered: Gathered }) {
  const runId = live?.run.id
  const heard = live?.heard
  const act = live?.act
  useEffect(() => {
    if (runId === undefined) return undefined
    // With each picture, as what was told last may have been lost on its way.
    return heard?.on(({ recording }) => {
      const upTo = recording ? gathered.take(runId, recording) : null
      if (upTo !== null) act?.({ type: 'recorded', upTo })
    })
  }, [runId, heard, act, gathered])
  // Opened anew, all that is there is asked for again.
  useEffect(() => {
    act?.({ type: 'recorded', upTo: 0 })
  }, [act])
  return null
}

function Pause({ live }: { live: Live }) {
  const t = useT()
  const on = live.meta?.recording?.on ?? true
  const Icon = on ? IconPlayerPause : IconPlayerRecord
  return (
    <Button
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => live.act?.({ type: 'recording', on: !on })}
    >
      {t(on ? 'record.pause' : 'record.resume')}
    </Button>
  )
}

const List = memo(function List(props: { shown: readonly Entry[]; remove: (key: string) => void }) {
  const { shown, remove } = props
  const { document } = useEditor()
  const names = useMemo(
    () =>
      secretNames(
        document,
        shown.map(({ recorded }) => recorded),
      ),
    [document, shown],
  )
  return (
    <ol className={classes.recorded} aria-live="polite">
      {shown.map(({ key, recorded }) => (
        <Row
          key={key}
          entryKey={key}
          recorded={recorded}
          secretName={recorded.secret === null ? undefined : names.get(recorded.secret)}
          remove={remove}
        />
      ))}
    </ol>
  )
})

/** One entry; it is drawn anew only where it was told anew. */
const Row = memo(function Row(props: {
  entryKey: string
  recorded: Recorded
  secretName: string | undefined
  remove: (key: string) => void
}) {
  const t = useT()
  const { entryKey, recorded, secretName, remove } = props
  return (
    <li ref={bringIn} className={classes.recordedRow} data-lost={recorded.type === null}>
      {recorded.type === null ? (
        <Lost recorded={recorded} />
      ) : (
        <StepWords recorded={recorded} secretName={secretName} />
      )}
      <ActionIcon
        size={28}
        variant="subtle"
        color="gray"
        aria-label={t('record.remove')}
        onClick={() => remove(entryKey)}
      >
        <IconX size={15} aria-hidden />
      </ActionIcon>
    </li>
  )
})

/** What was recorded last is in sight. */
function bringIn(row: HTMLLIElement | null): void {
  row?.scrollIntoView({ block: 'nearest' })
}

function StepWords({ recorded, secretName }: { recorded: Recorded; secretName: string | undefined }) {
  const catalogue = useCatalogueText()
  const names = new Map(recorded.secret === null || !secretName ? [] : [[recorded.secret, secretName]])
  const step = stepOfRecorded(recorded, names, 'step')
  const summary = summaryOf(step)
  return (
    <>
      <ActivityIcon type={step.type} size={16} />
      <span className={classes.words}>
        <span>{titleOf(step.type, catalogue)}</span>
        {summary !== '' && (
          <bdi className={classes.target} dir="ltr">
            {summary}
          </bdi>
        )}
      </span>
    </>
  )
}

/** What was done and no step repeats: it is said, so that it can be added by hand. */
function Lost({ recorded }: { recorded: Recorded }) {
  const t = useT()
  return (
    <>
      <IconAlertTriangle size={16} aria-hidden />
      <span className={classes.words}>
        <span>{t(`unrecorded.${recorded.unrecorded ?? 'noTarget'}`)}</span>
        {recorded.label !== '' && <bdi className={classes.dim}>{recorded.label}</bdi>}
      </span>
    </>
  )
}
