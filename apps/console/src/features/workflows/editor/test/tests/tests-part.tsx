import { Button } from '@mantine/core'
import { IconHistory, IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { WORKFLOW_TEST_LIMITS } from '@weft/contract/workflow-tests/schema'
import { Empty, Load } from '../../../../../kit/states/states.tsx'
import { freeName, newTest } from '../../../model/tests/test-draft.ts'
import { useT } from '../../../text.ts'
import { useEditor } from '../../context.ts'
import { Refused } from '../refused.tsx'
import { ClientField, InputFields } from '../run-fields.tsx'
import { useTestDesk } from '../test-desk.ts'
import { useValueOf } from '../../../../../lib/use-value-of.ts'
import { StopTests } from './stop-tests.tsx'
import { TestForm } from './test-form.tsx'
import { TestLine } from './test-line.tsx'
import classes from './tests.module.css'
import { useFromLastRun } from './use-from-last-run.ts'
import { useMayTest, useRunTests, useTests } from './use-tests.ts'

/** The tests of the workflow: named cases, how each stands toward what is in the editor, and what was found. */
export function TestsPart({ onGo }: { onGo?: () => void }) {
  const desk = useTestDesk()
  const draft = useValueOf(desk.draft)
  const of = useTests()
  const { read, tests } = of
  // Back from the form, the keyboard goes on where it left the list.
  const list = useRef<HTMLDivElement>(null)
  const wrote = useRef(false)
  useEffect(() => {
    if (!draft && wrote.current) list.current?.focus()
    wrote.current = draft !== null
  }, [draft])
  if (draft)
    return (
      <TestForm
        key={draft.key}
        draft={draft}
        names={tests.flatMap(({ test }) => (test.id === draft.id ? [] : [test.name]))}
        close={() => desk.draft.set(null)}
      />
    )
  return (
    <div ref={list} tabIndex={-1} className={classes.part}>
      <Load of={read} part>
        {() => (tests.length === 0 ? <None /> : <List of={of} {...(onGo ? { onGo } : {})} />)}
      </Load>
    </div>
  )
}

function List({ of, onGo }: { of: ReturnType<typeof useTests>; onGo?: () => void }) {
  const t = useT()
  const desk = useTestDesk()
  const setup = useValueOf(desk.setup)
  const { document } = useEditor()
  const { tests, state } = of
  const run = useRunTests()
  const mayTest = useMayTest()
  const secret = document.inputs.filter((input) => input.secret)
  const passed = tests.filter(({ standing }) => standing === 'passed').length
  const busy = state.current !== null
  return (
    <>
      <div className={classes.bar}>
        <output className={classes.sum}>{t('tests.sum', { passed, count: tests.length })}</output>
        <span className={classes.tools}>
          {busy ? (
            <StopTests stopping={state.stopping} />
          ) : (
            mayTest && (
              <Button
                size="compact-sm"
                leftSection={<IconPlayerPlay size={15} className="flip-rtl" aria-hidden />}
                onClick={() => void run(tests.map(({ test }) => test.id))}
              >
                {t('tests.runAll')}
              </Button>
            )
          )}
          <Make
            full={tests.length >= WORKFLOW_TEST_LIMITS.tests}
            names={tests.map(({ test }) => test.name)}
          />
        </span>
      </div>
      {state.halted && (
        <Refused refusal={state.halted} forget={() => desk.queue.forget()} {...(onGo ? { onGo } : {})} />
      )}
      {!mayTest && <p className={classes.dim}>{t('tests.mayNotRun')}</p>}
      <ul className={classes.list}>
        {tests.map((one) => (
          <TestLine
            key={one.test.id}
            of={one}
            busy={busy}
            names={tests.map(({ test }) => test.name)}
            run={() => void run([one.test.id])}
            {...(onGo ? { onGo } : {})}
          />
        ))}
      </ul>
      {mayTest && (
        <section className={classes.with} aria-label={t('tests.with')}>
          <ClientField value={setup.clientId} set={(clientId) => desk.setup.set({ ...setup, clientId })} />
          {secret.length > 0 && (
            <>
              <InputFields
                inputs={secret}
                values={setup.inputs}
                onChange={(inputs) => desk.setup.set({ ...setup, inputs })}
              />
              <p className={classes.dim}>{t('tests.secretsHelp')}</p>
            </>
          )}
        </section>
      )}
    </>
  )
}

/** The two ways to a new test. */
function Make({ full = false, names }: { full?: boolean; names: readonly string[] }) {
  const t = useT()
  const desk = useTestDesk()
  const { readOnly } = useEditor()
  const { take, busy } = useFromLastRun(names)
  if (readOnly) return null
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={busy}
        disabled={full}
        leftSection={<IconHistory size={15} aria-hidden />}
        onClick={() => void take()}
      >
        {t('tests.fromRun')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={full}
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={() => desk.draft.set(newTest(freeName(t('tests.newName'), names)))}
      >
        {t('tests.new')}
      </Button>
    </>
  )
}

const NO_NAMES: readonly string[] = []

function None() {
  const t = useT()
  return (
    <Empty
      title={t('tests.none')}
      text={t('tests.noneText')}
      action={
        <span className={classes.tools}>
          <Make names={NO_NAMES} />
        </span>
      }
    />
  )
}
