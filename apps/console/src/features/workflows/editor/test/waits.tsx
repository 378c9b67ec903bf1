import { Button } from '@mantine/core'
import { IconPlayerSkipForward } from '@tabler/icons-react'
import { questions } from '@weft/contract/questions/api'
import { testRuns } from '@weft/contract/test-runs/api'
import type { TestWait } from '@weft/contract/test-runs/schema'
import { useChange } from '../../../../kit/actions/use-change.ts'
import { Failure } from '../../../../kit/states/states.tsx'
import { Time } from '../../../../kit/values/values.tsx'
import { isFailure } from '../../../../lib/failure.ts'
import { invalidateFeatures, useRead } from '../../../../lib/query.ts'
import { AnswerForm } from '../../../questions/answer-form.tsx'
import { useT } from '../../text.ts'
import classes from './waits.module.css'

const LOOK_EVERY_MS = 2000

/** What the test run that is shown waits for: questions are answered here, and a wait for a time can be skipped. */
export default function Waits({ runId }: { runId: string }) {
  const t = useT()
  const { data: waits = [] } = useRead(testRuns.waits, { id: runId }, { every: LOOK_EVERY_MS })
  if (waits.length === 0) return null
  return (
    <section className={classes.waits} aria-label={t('test.waits.title')}>
      {waits.map((wait) =>
        wait.kind === 'question' ? (
          <Question key={wait.id} id={wait.id} />
        ) : (
          <ForTime key={wait.id} wait={wait} runId={runId} />
        ),
      )}
    </section>
  )
}

function ForTime({ wait, runId }: { wait: TestWait; runId: string }) {
  const t = useT()
  const skip = useChange(testRuns.skipWait, { invalidates: ['runs'] })
  const { id, stepId, stepName, dueAt } = wait
  return (
    <div className={classes.row}>
      <span>
        {t('test.waits.forTime', { step: stepName ?? stepId })} <Time at={dueAt} exact />
      </span>
      <Button
        size="compact-sm"
        variant="light"
        loading={skip.isPending}
        leftSection={<IconPlayerSkipForward size={15} className="flip-rtl" aria-hidden />}
        onClick={() => skip.mutate({ id: runId, waitId: id })}
      >
        {t('test.waits.skip')}
      </Button>
    </div>
  )
}

/** The question as it stands under Questions; whoever looks at somebody else's test run may be none who is asked. */
function Question({ id }: { id: string }) {
  const t = useT()
  const { data: asked, error, refetch } = useRead(questions.get, { id })
  if (error)
    return isFailure(error) && error.body.code === 'record.not_found' ? (
      <p className={classes.text}>{t('test.waits.ofOthers')}</p>
    ) : (
      <Failure error={error} retry={() => void refetch()} />
    )
  if (!asked?.can.includes('answer')) return null
  return (
    <div className={classes.question}>
      <h3 className={classes.title} dir="auto">
        {asked.title}
      </h3>
      {asked.text !== '' && (
        <p className={classes.text} dir="auto">
          {asked.text}
        </p>
      )}
      <AnswerForm question={asked} onDone={() => void invalidateFeatures(['testRuns', 'runs'])} />
    </div>
  )
}
