import { useCallback, useMemo, useRef, useState, type RefObject } from 'react'
import type { AttendedRun, AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { emitter, type Emitter } from '../../lib/emitter.ts'
import { AddressBar } from './bar.tsx'
import { ChoiceList } from './choice-list.tsx'
import { FilesAsked } from './files-asked.tsx'
import { Hands, type Line } from './hands.ts'
import classes from './live-browser.module.css'
import type { LiveCalls } from './live-calls.ts'
import { PointLayer } from './point-layer.tsx'
import { Question } from './question.tsx'
import { Screen } from './screen.tsx'
import { useT } from './text.ts'
import { TimeLeft } from './time-left.tsx'
import { useFrames } from './use-frames.ts'
import { WriteField } from './write-field.tsx'

/** An open browser as a page of the console has it. */
export interface Live {
  run: AttendedRun
  /** When the run's record was read. */
  at: number
  canvas: RefObject<HTMLCanvasElement | null>
  /** What is said of the page; the same object for as long as nothing of it changes. */
  meta: FrameMeta | null
  /** What comes with each picture. */
  heard: Emitter<FrameMeta>
  line: Line
  /** What the person does; null where they only look on, or the browser is not open. */
  act: ((event: AttendInput) => void) | null
  /** Gives the page the files that it asks for; what comes of it is waited for. */
  give: (number: number, fileIds: string[]) => Promise<unknown>
}

/** Follows an open browser, and brings to it what is done. */
export function useLive(options: {
  calls: LiveCalls
  run: AttendedRun
  at: number
  follows: boolean
  /** Reads the run's record again. */
  look: () => void
}): Live {
  const { calls, run, at, follows, look } = options
  const canvas = useRef<HTMLCanvasElement>(null)
  const [line, setLine] = useState<Line>(null)
  const hands = useMemo(
    () =>
      new Hands(calls, run.id, (next, error) => {
        setLine(next)
        if (error) look()
      }),
    [calls, run.id, look],
  )
  const [heard] = useState(() => emitter<FrameMeta>())
  const { meta, lost } = useFrames(calls, run.id, canvas, { enabled: follows, onOver: look, heard })
  const acting = run.can.includes('input')
  const act = useMemo(() => (acting ? (event: AttendInput) => hands.do(event) : null), [acting, hands])
  const give = useCallback(
    (number: number, fileIds: string[]) => calls.input(run.id, [{ type: 'files', number, fileIds }]),
    [calls, run.id],
  )
  const shown = lost ? 'lost' : line
  return useMemo(
    () => ({ run, at, canvas, meta, heard, line: shown, act, give }),
    [run, at, canvas, meta, heard, shown, act, give],
  )
}

/** The picture of an open browser, and everything to work it with. */
export function LiveBrowser(props: {
  live: Live
  /** Esc pressed twice leads here. */
  onLeave: () => void
  /** Pointing at elements instead of working the page: icons in a button stand for it, or for themselves. */
  pointing?: { pressable: boolean } | undefined
}) {
  const t = useT()
  const { live, onLeave, pointing } = props
  const { canvas, meta, act } = live
  const keys = useRef<HTMLTextAreaElement>(null)
  const back = useCallback(() => keys.current?.focus({ preventScroll: true }), [])
  const choose = useCallback(
    (list: number, indexes: number[]) => act?.({ type: 'choose', list, indexes }),
    [act],
  )
  return (
    <>
      <div className={classes.top}>
        <AddressBar meta={meta} act={act} />
        <Facts live={live} />
      </div>
      <output className={classes.notice}>{meta?.notice && t(`notice.${meta.notice}`)}</output>
      {meta?.dialog && <Question key={meta.dialog.message} dialog={meta.dialog} act={act} back={back} />}
      {meta?.files && act && (
        <FilesAsked
          key={meta.files.number}
          asked={meta.files}
          back={back}
          give={(fileIds) => live.give(meta.files?.number ?? 0, fileIds)}
        />
      )}
      <Screen
        canvas={canvas}
        keys={keys}
        meta={meta}
        act={pointing ? null : act}
        onLeave={onLeave}
        overlay={
          <>
            {pointing && act && <PointLayer meta={meta} act={act} pressable={pointing.pressable} />}
            {meta?.choice && act && !pointing && (
              <ChoiceList key={meta.choice.number} choice={meta.choice} choose={choose} back={back} />
            )}
          </>
        }
      />
      {act && !pointing && (
        <>
          <WriteField act={act} />
          <p id="live-keys-help" className={classes.help}>
            {t('keysHelp')}
          </p>
        </>
      )}
    </>
  )
}

function Facts({ live: { run, at, line } }: { live: Live }) {
  const t = useT()
  return (
    <div className={classes.facts}>
      <span>
        <bdi>{run.clientName}</bdi>
      </span>
      <span data-lost={line === 'lost'} role={line === 'lost' ? 'alert' : undefined}>
        {line === 'lost' ? t('lineLost') : line ? t('line', { ms: line.ms }) : t('lineGood')}
      </span>
      {run.secondsLeft !== null && <TimeLeft seconds={run.secondsLeft} at={at} />}
    </div>
  )
}
