import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { runs } from '@weft/contract/runs/api'
import type { RunDetail } from '@weft/contract/runs/schema'
import { RecordActions } from '../../kit/actions/record-actions.tsx'
import { Facts, Page, Section } from '../../kit/page/page.tsx'
import { PageTabs, type PageTab } from '../../kit/page/tabs.tsx'
import { Empty, Load } from '../../kit/states/states.tsx'
import { KeyValue } from '../../kit/values/key-value.tsx'
import { Code, Dash, Elapsed, Ltr } from '../../kit/values/values.tsx'
import { useFormats } from '../../lib/formats.ts'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useRead } from '../../lib/query.ts'
import { runActions } from './actions.ts'
import { RunBadge } from './badge.tsx'
import { LateReports, OtherAttempts } from './evidence.tsx'
import { RunFiles } from './files/files.tsx'
import { RunLog } from './log/run-log.tsx'
import { Moment } from './moment.tsx'
import { runPath } from './paths.ts'
import classes from './run-page.module.css'
import { errorClassText, useT } from './text.ts'
import { Timeline } from './timeline/timeline.tsx'

const label = (name: string) => fieldLabel('runs', name)

/** One execution on one client: what it did, what came of it, what it left behind. */
export function RunPage({ id }: { id: string }) {
  const record = useRead(runs.get, { id })
  return <Load of={record}>{(run) => <RunView run={run} />}</Load>
}

function RunView({ run }: { run: RunDetail }) {
  const t = useT()
  const formats = useFormats()
  const title =
    run.workflowId === null
      ? run.attended === null || run.attended === 'signIn'
        ? t('attendedTitle', { name: run.accountName ?? run.clientName })
        : t(`options.attended.${run.attended}`)
      : run.itemSeq === null
        ? run.workflowName
        : t('titleOfItem', { seq: formats.number(run.itemSeq), name: run.accountName ?? run.workflowName })
  return (
    <Page
      title={title}
      back={backOf(run)}
      status={<RunBadge run={run} />}
      actions={
        <RecordActions
          feature="runs"
          of={run}
          name={title}
          actions={runActions}
          primary={['retry', 'cancel']}
        />
      }
    >
      <RunError run={run} />
      {run.cancelRequestedAt && run.result === null && (
        <output className={classes.notice}>{t('cancellingText', { reason: run.cancelReason ?? '' })}</output>
      )}
      <Section>
        <RunFacts run={run} />
      </Section>
      <PageTabs tabs={tabsOf(run, t)} />
    </Page>
  )
}

/** A run belongs to its campaign; one that a person has in hand, to the sign-in desk; a test run, to its workflow. */
function backOf({ campaignId, workflowId, release }: RunDetail): string {
  if (campaignId !== null) return `/cms/campaign/info/${campaignId}`
  if (workflowId === null) return '/cms/resource/sign-in-desk'
  return release === null ? `/cms/workflow/editor/${workflowId}` : '/cms/campaign/list'
}

function tabsOf(run: RunDetail, t: ReturnType<typeof useT>): PageTab[] {
  const outputs = run.outputs && Object.keys(run.outputs).length > 0 ? run.outputs : null
  const section = (content: PageTab['content']) => <Section>{content}</Section>
  return [
    {
      id: 'steps',
      label: t('tabs.steps', { count: run.steps.length }),
      content: section(<Timeline run={run} />),
    },
    { id: 'log', label: t('tabs.log'), content: section(<RunLog key={run.id} run={run} />) },
    {
      id: 'values',
      label: t('tabs.values'),
      content: section(
        outputs ? (
          <KeyValue value={outputs} />
        ) : (
          <Empty title={t('values.empty')} text={t('values.emptyText')} />
        ),
      ),
    },
    {
      id: 'files',
      label: t('tabs.files', { count: run.files.length }),
      content: section(<RunFiles run={run} />),
    },
    {
      id: 'attempts',
      label: t('tabs.attempts', { count: run.otherRuns.length }),
      content: section(<OtherAttempts run={run} />),
    },
    ...(run.lateReports.length > 0
      ? [
          {
            id: 'late',
            label: t('tabs.late', { count: run.lateReports.length }),
            content: section(<LateReports run={run} />),
          },
        ]
      : []),
  ]
}

/** Why a run failed, in words first. */
function RunError({ run }: { run: RunDetail }) {
  const t = useT()
  if (!run.error) return null
  const { stepName, stepId } = run.error
  return (
    <div className={classes.error} role="alert">
      <strong>{errorClassText(run.error.class)}</strong>
      {(stepName ?? stepId) && (
        <>
          {' · '}
          {t('atStep', { step: stepName ?? stepId ?? '' })}
        </>
      )}
      <p>
        <bdi>{run.error.message}</bdi>
      </p>
    </div>
  )
}

function RunFacts({ run }: { run: RunDetail }) {
  const t = useT()
  const rows: [string, React.ReactNode][] = [
    [
      label('campaignTitle'),
      run.campaignId ? (
        <Anchor key="campaignTitle" component={Link} to={`/cms/campaign/info/${run.campaignId}`}>
          <bdi>{run.campaignTitle}</bdi>
        </Anchor>
      ) : (
        <Dash key="campaignTitle" />
      ),
    ],
    [
      label('workflowName'),
      run.attended === 'pick' || run.attended === 'record' ? (
        t(`options.attended.${run.attended}`)
      ) : run.workflowId === null ? (
        <Anchor key="workflowName" component={Link} to={`/cms/resource/sign-in-desk/${run.id}`}>
          {t('attendedLink')}
        </Anchor>
      ) : (
        <>
          <Anchor component={Link} to={`/cms/workflow/editor/${run.workflowId}`}>
            <bdi>{run.workflowName}</bdi>
          </Anchor>
          {' · '}
          {run.release === null ? t('testRun') : t('release', { number: run.release })}
        </>
      ),
    ],
    [
      label('clientName'),
      <Anchor key="client" component={Link} to={`/cms/resource/clients/${run.clientId}`}>
        <bdi>{run.clientName}</bdi>
      </Anchor>,
    ],
    [
      label('accountName'),
      run.accountName ? <Ltr key="accountName">{run.accountName}</Ltr> : <Dash key="accountName" />,
    ],
    [
      label('attempt'),
      <>
        {t('attempt', { attempt: run.attempt })}
        {run.retryOfId && (
          <>
            {' · '}
            <Anchor component={Link} to={runPath(run.retryOfId)}>
              {t('retryOf')}
            </Anchor>
          </>
        )}
      </>,
    ],
    [label('duration'), <Elapsed key="elapsed" from={run.startedAt} to={run.finishedAt} />],
    [label('queuedAt'), <Moment key="queued" at={run.queuedAt} />],
    [label('startedAt'), <Moment key="started" at={run.startedAt} />],
    [label('finishedAt'), <Moment key="finished" at={run.finishedAt} />],
    ...(run.step && run.cycle !== 'finished'
      ? [[label('step'), <bdi key="step">{run.step}</bdi>] satisfies [string, React.ReactNode]]
      : []),
    [label('browser'), run.browser ? <Ltr key="browser">{run.browser}</Ltr> : <Dash key="browser" />],
    [
      label('agentVersion'),
      run.agentVersion ? <Ltr key="agentVersion">{run.agentVersion}</Ltr> : <Dash key="agentVersion" />,
    ],
    [
      label('id'),
      <Code key="id" copy>
        {run.id}
      </Code>,
    ],
  ]
  return <Facts rows={rows} />
}
