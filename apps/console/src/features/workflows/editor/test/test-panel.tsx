import { ActionIcon, Anchor, Button, Drawer, Tabs, Tooltip } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconX } from '@tabler/icons-react'
import { lazy, Suspense, useId } from 'react'
import { Link } from 'react-router'
import { runs } from '@weft/contract/runs/api'
import type { RunDetail } from '@weft/contract/runs/schema'
import { useChange } from '../../../../kit/actions/use-change.ts'
import { Empty, Load } from '../../../../kit/states/states.tsx'
import { KeyValue } from '../../../../kit/values/key-value.tsx'
import { Elapsed } from '../../../../kit/values/values.tsx'
import { useKitText } from '../../../../lib/i18n/texts.ts'
import { RunBadge } from '../../../runs/badge.tsx'
import { RunLog } from '../../../runs/log/run-log.tsx'
import { runPath } from '../../../runs/paths.ts'
import { errorClassText } from '../../../runs/text.ts'
import { Timeline } from '../../../runs/timeline/timeline.tsx'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { History } from './history.tsx'
import { Refused } from './refused.tsx'
import { Setup } from './setup.tsx'
import { useTestDesk, type TestPart } from './test-desk.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'
import classes from './test.module.css'
import { TestsPart } from './tests/tests-part.tsx'
import { useLiveRun } from './use-live-run.ts'
import { useStart } from './use-start.ts'

/** The forms of questions come only where one is asked. */
const Waits = lazy(() => import('./waits.tsx'))

const PARTS: readonly TestPart[] = ['setup', 'steps', 'log', 'history', 'tests']

/** Test runs of what stands in the editor: docked below the steps, on a small screen over the whole of it. */
export default function TestPanel({ wide }: { wide: boolean }) {
  const t = useT()
  const desk = useTestDesk()
  const opened = useValueOf(desk.opened)
  const close = () => desk.opened.set(false)
  if (wide)
    return opened ? (
      <section className={classes.dock} data-dock aria-label={t('test.title')}>
        <Panel close={close} wide />
      </section>
    ) : null
  return (
    <Drawer.Root opened={opened} onClose={close} position="bottom" size="100%">
      <Drawer.Overlay />
      <Drawer.Content aria-label={t('test.title')}>
        <Drawer.Body p={0} className={classes.sheet ?? ''}>
          <Panel close={close} wide={false} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function Panel({ close, wide }: { close: () => void; wide: boolean }) {
  const t = useT()
  const kit = useKitText()
  const desk = useTestDesk()
  const { readOnly } = useEditor()
  const part = useValueOf(desk.part)
  const { start, busy, refusal, forget } = useStart()
  const { runId, read } = useLiveRun()
  const run = read.data
  const live = run !== undefined && run.cycle !== 'finished'
  const formId = useId()
  const whole = () => void start({ kind: 'whole' })
  return (
    <>
      <header className={classes.head}>
        <h2 className={classes.title}>{t('test.title')}</h2>
        {run && (
          <span className={classes.now}>
            <output>
              <RunBadge run={run} />
            </output>
            <Elapsed from={run.startedAt} to={run.finishedAt} />
            <Anchor component={Link} to={runPath(run.id)} size="sm">
              {t('test.toRun')}
            </Anchor>
          </span>
        )}
        <span className={classes.tools}>
          {live ? (
            <Stop run={run} />
          ) : (
            <Button
              size="compact-sm"
              loading={busy}
              disabled={readOnly}
              leftSection={<IconPlayerPlay size={15} className="flip-rtl" aria-hidden />}
              // Enter in a field of the inputs starts it too.
              {...(part === 'setup' ? { type: 'submit', form: formId } : { onClick: whole })}
            >
              {t('test.runWhole')}
            </Button>
          )}
          <Tooltip label={kit('common.close')}>
            <ActionIcon size={30} aria-label={kit('common.close')} onClick={close}>
              <IconX size={17} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </span>
      </header>
      {refusal && <Refused refusal={refusal} forget={forget} {...(wide ? {} : { onGo: close })} />}
      {run?.cycle === 'waiting' && (
        <Suspense fallback={null}>
          <Waits runId={run.id} />
        </Suspense>
      )}
      <Tabs
        value={part}
        onChange={(next) => desk.part.set(PARTS.find((one) => one === next) ?? 'setup')}
        keepMounted={false}
        className={classes.tabs ?? ''}
      >
        <Tabs.List className={classes.tabList ?? ''}>
          {PARTS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`test.parts.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="setup" className={classes.body ?? ''}>
          <Setup id={formId} run={whole} refusal={refusal} />
        </Tabs.Panel>
        <Tabs.Panel value="steps" className={classes.body ?? ''}>
          {runId === null ? (
            <None />
          ) : (
            <Load of={read} part>
              {(one) => <Steps run={one} />}
            </Load>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="log" className={classes.body ?? ''}>
          {runId === null ? (
            <None />
          ) : (
            <Load of={read} part>
              {(one) => <RunLog key={one.id} run={one} />}
            </Load>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="history" className={classes.body ?? ''}>
          <History />
        </Tabs.Panel>
        <Tabs.Panel value="tests" className={classes.body ?? ''}>
          <TestsPart {...(wide ? {} : { onGo: close })} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function Stop({ run }: { run: RunDetail }) {
  const t = useT()
  const cancel = useChange(runs.cancel)
  return (
    <Button
      size="compact-sm"
      color="red"
      variant="light"
      loading={cancel.isPending}
      disabled={run.cancelRequestedAt !== null || !run.can.includes('cancel')}
      leftSection={<IconPlayerStop size={15} aria-hidden />}
      onClick={() => cancel.mutate({ id: run.id })}
    >
      {t('test.stop')}
    </Button>
  )
}

/** What the run did, with pictures and outputs beside its steps, and what came of it. */
function Steps({ run }: { run: RunDetail }) {
  const t = useT()
  const outputs = run.outputs && Object.keys(run.outputs).length > 0 ? run.outputs : null
  return (
    <div className={classes.steps}>
      {run.error && (
        <p className={classes.error} role="alert">
          <strong>{errorClassText(run.error.class)}</strong> <bdi>{run.error.message}</bdi>
        </p>
      )}
      <Timeline run={run} />
      {outputs && (
        <section>
          <h3 className={classes.heading}>{t('test.outputs')}</h3>
          <KeyValue value={outputs} />
        </section>
      )}
    </div>
  )
}

function None() {
  const t = useT()
  return <Empty title={t('test.noRuns')} text={t('test.noRunsText')} />
}
