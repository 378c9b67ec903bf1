import { Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import { testRuns } from '@weft/contract/test-runs/api'
import type { TestRun } from '@weft/contract/test-runs/schema'
import { Empty, Load } from '../../../../kit/states/states.tsx'
import { Elapsed, Time } from '../../../../kit/values/values.tsx'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import { useRead } from '../../../../lib/query.ts'
import { RunBadge } from '../../../runs/badge.tsx'
import { runPath } from '../../../runs/paths.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { stepWords } from '../problem-text.ts'
import { useTestDesk } from './test-desk.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'
import classes from './test.module.css'

const SHOWN = 30

/** The test runs of the workflow that the person may see, newest first. */
export function History() {
  const t = useT()
  const { workflow } = useEditor()
  const list = useRead(testRuns.list, {
    workflowId: workflow.id,
    perPage: SHOWN,
    sortBy: 'queuedAt',
    sortDesc: true,
  })
  return (
    <Load of={list} part>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title={t('test.noRuns')} text={t('test.noRunsText')} />
        ) : (
          <ul className={classes.history}>
            {data.map((run) => (
              <Line key={run.id} run={run} />
            ))}
          </ul>
        )
      }
    </Load>
  )
}

function Line({ run }: { run: TestRun }) {
  const t = useT()
  const desk = useTestDesk()
  const catalogue = useCatalogueText()
  const { document } = useEditor()
  const shown = useValueOf(desk.runId) === run.id
  const what =
    run.scope.kind === 'whole'
      ? t('test.scopes.whole')
      : t(`test.scopes.${run.scope.kind}`, { step: stepWords(document, run.scope.activityId, catalogue) })
  return (
    <li className={classes.line} data-shown={shown || undefined}>
      <RunBadge run={run} />
      <span className={classes.what}>
        <bdi>{what}</bdi>
        <span className={classes.dim}>
          <Time at={run.queuedAt} /> · <bdi>{run.clientName}</bdi>
          {!run.mine && (
            <>
              {' · '}
              <bdi>{run.startedByName}</bdi>
            </>
          )}
        </span>
      </span>
      <Elapsed from={run.startedAt} to={run.finishedAt} />
      <Button size="compact-sm" variant="default" aria-pressed={shown} onClick={() => desk.show(run.id)}>
        {t('test.show')}
      </Button>
      <Anchor component={Link} to={runPath(run.id)} size="sm">
        {t('test.toRun')}
      </Anchor>
    </li>
  )
}
