import { Button, Modal } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { editorBrowsers } from '@weft/contract/editor-browsers/api'
import type { AttendedRun } from '@weft/contract/attended-runs/schema'
import { useChange } from '../../../../kit/actions/use-change.ts'
import { Empty, Load } from '../../../../kit/states/states.tsx'
import { isFailure } from '../../../../lib/failure.ts'
import { useRead } from '../../../../lib/query.ts'
import { text } from '../../../../lib/i18n/texts.ts'
import { LiveBrowser, useLive, type Live } from '../../../live-browser/live-browser.tsx'
import { editorCalls } from '../../../live-browser/live-calls.ts'
import { NoPicture } from '../../../live-browser/no-picture.tsx'
import { useT } from '../../../live-browser/text.ts'
import { isUnderWay, useAttendedRun } from '../../../live-browser/use-attended-run.ts'
import { useEditor } from '../context.ts'
import classes from './browse.module.css'
import { OpenForm } from './open-form.tsx'
import { Remains } from './remains.tsx'

/** A browser on a client over the whole editor, with what it is for beside it. */
export function BrowserWindow(props: {
  purpose: 'pick' | 'record'
  stepId: string | null
  title: string
  /** Asked before it closes; false keeps it open. */
  mayClose: () => Promise<boolean>
  close: () => void
  /** Beside the picture. It stays as it is when the browser is gone, so that nothing is lost with it. */
  aside: (live: Live | null) => ReactNode
  pointing?: { pressable: boolean } | undefined
  /** Closes the window with its browser, without asking, when it changes to true. */
  bindClose: (close: () => void) => void
}) {
  const t = useT()
  const { purpose, stepId, mayClose, close } = props
  const { workflow } = useEditor()
  const [id, setId] = useState<string | null>(null)
  const current = useRead(editorBrowsers.current, { workflowId: workflow.id, purpose })
  const left = current.data?.run ?? null
  const finish = useChange(editorBrowsers.finish)
  const end = (run: AttendedRun | null) => {
    if (run && isUnderWay(run)) finish.mutate({ id: run.id, save: run.state === 'open' })
    close()
  }
  const { record, run, at, look } = useAttendedRun(editorBrowsers.get, id)
  const again = () => {
    setId(null)
    // It may still be open, and not be theirs to look at any more.
    void current.refetch()
  }
  props.bindClose(() => end(run))
  return (
    <Modal
      opened
      fullScreen
      onClose={() => void mayClose().then((may) => may && end(run))}
      // Esc belongs to the page that is shown.
      closeOnEscape={id === null}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      title={props.title}
      classNames={{ body: classes.body ?? '' }}
    >
      {run ? (
        <Shown
          key={run.id}
          run={run}
          at={at}
          look={look}
          again={again}
          gone={isFailure(record.error) && GONE.includes(record.error.httpStatus)}
          {...props}
        />
      ) : (
        <div className={classes.columns}>
          <div className={classes.main}>
            {id !== null && record.error ? (
              <Over why="gone" again={again} />
            ) : id !== null ? (
              <NoPicture state="waiting">{t('opening')}</NoPicture>
            ) : (
              <Load of={current} part>
                {() =>
                  left ? (
                    <Remains run={left} goOn={() => setId(left.id)} />
                  ) : (
                    <OpenForm purpose={purpose} stepId={stepId} onOpen={(made) => setId(made.id)} />
                  )
                }
              </Load>
            )}
          </div>
          <aside className={classes.aside} aria-label={props.title}>
            {props.aside(null)}
          </aside>
        </div>
      )}
    </Modal>
  )
}

function Shown(props: {
  run: AttendedRun
  at: number
  look: () => void
  again: () => void
  /** It is not for this person any more: their rights were taken. */
  gone: boolean
  title: string
  aside: (live: Live | null) => ReactNode
  pointing?: { pressable: boolean } | undefined
}) {
  const t = useT()
  const { run, at, look } = props
  const isOpen = run.state === 'open' && !props.gone
  const live = useLive({ calls: editorCalls, run, at, follows: isOpen, look })
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        {props.gone ? (
          <Over why="gone" again={props.again} />
        ) : isOpen ? (
          <LiveBrowser live={live} onLeave={leave} pointing={props.pointing} />
        ) : run.state === 'waiting' || run.state === 'starting' || run.state === 'saving' ? (
          <NoPicture state={run.state}>
            {run.state === 'saving' ? t('opening') : t(`state.${run.state}`, { client: run.clientName })}
          </NoPicture>
        ) : (
          <Over why={overOf(run)} again={props.again} />
        )}
      </div>
      <aside className={classes.aside} aria-label={props.title}>
        {props.aside(props.gone ? null : live)}
      </aside>
    </div>
  )
}

/** Why there is no browser any more, and the way to another. */
function Over({ why, again }: { why: ReturnType<typeof overOf> | 'gone'; again: () => void }) {
  const t = useT()
  return (
    <Empty
      title={t(`over.${why}`)}
      text={t('over.text')}
      action={
        <Button variant="default" onClick={again}>
          {t('over.again')}
        </Button>
      }
    />
  )
}

/** The server's answers to those who may not have it. */
const GONE: readonly number[] = [403, 404]

const OVER = ['timeOver', 'lost', 'notTaken', 'failed'] as const

const overOf = ({ state }: AttendedRun) => OVER.find((one) => one === state) ?? 'closed'

/** The way out of the page for the keyboard leads to what stands beside it. */
function leave(): void {
  document.querySelector<HTMLElement>(`.${classes['aside']} :is(button, input):not(:disabled)`)?.focus()
}
