import { Alert, Button } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { errorText } from '../../../../lib/i18n/names.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { Refused } from '../test/refused.tsx'
import { InputFields } from '../test/run-fields.tsx'
import { useTestDesk } from '../test/test-desk.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'
import { StandingBadge } from '../test/tests/standing-badge.tsx'
import { StopTests } from '../test/tests/stop-tests.tsx'
import { useMayTest, type useTests } from '../test/tests/use-tests.ts'
import classes from './releases.module.css'

/** How the tests stand toward exactly what is about to be published, and what that means for it. */
export function PublishTests({ of, onGo }: { of: ReturnType<typeof useTests>; onGo: () => void }) {
  const t = useT()
  const desk = useTestDesk()
  const setup = useValueOf(desk.setup)
  const { workflow, document } = useEditor()
  const mayTest = useMayTest()
  const { tests, state } = of
  const { testsMustPass } = workflow
  const passed = tests.filter(({ standing }) => standing === 'passed').length
  const secret = document.inputs.filter((input) => input.secret)
  const open = passed < tests.length
  const [, setSearch] = useSearchParams()
  const look = () => {
    setSearch(() => new URLSearchParams(), { replace: true })
    desk.part.set('tests')
    desk.opened.set(true)
    onGo()
  }
  if (tests.length === 0) return testsMustPass ? <Alert color="yellow">{t('publish.noTests')}</Alert> : null
  return (
    <section className={classes.tests}>
      <h3 className={classes.heading}>{t('publish.tests')}</h3>
      <output className={classes.meta}>{t('tests.sum', { passed, count: tests.length })}</output>
      <ul className={classes.testList}>
        {tests.map(({ test, standing, refused }) => (
          <li key={test.id} className={classes.test}>
            <StandingBadge standing={standing} />
            <span className={classes.testName}>
              <bdi>{test.name}</bdi>
              {refused && (
                <span className={classes.refused} role="alert">
                  {errorText(refused.code, refused.params, refused.message)}{' '}
                  <bdi className="ltr">{[...refused.inputs.keys()].join(', ')}</bdi>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {state.halted && <Refused refusal={state.halted} forget={() => desk.queue.forget()} onGo={onGo} />}
      {open && mayTest && secret.length > 0 && (
        <InputFields
          inputs={secret}
          values={setup.inputs}
          onChange={(inputs) => desk.setup.set({ ...setup, inputs })}
        />
      )}
      {open && (!mayTest || testsMustPass) && (
        <Alert color={testsMustPass ? 'yellow' : 'blue'} p={10}>
          {testsMustPass && <p className={classes.note}>{t('publish.mustPass')}</p>}
          {!mayTest && <p className={classes.note}>{t('publish.mayNotTest')}</p>}
        </Alert>
      )}
      {!state.current && tests.some(({ standing }) => standing === 'failed' || standing === 'undecided') && (
        <Button className={classes.stop ?? ''} size="compact-sm" variant="default" onClick={look}>
          {t('tests.look')}
        </Button>
      )}
      {state.current && <StopTests stopping={state.stopping} className={classes.stop} />}
    </section>
  )
}
