import { Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { projectInsight } from '@weft/contract/projects/insight-api'
import type { ProjectHealth } from '@weft/contract/projects/transfer'
import { Section } from '../../../kit/page/page.tsx'
import { Stat } from '../../../kit/progress/progress.tsx'
import { LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { Dash, Num, Time } from '../../../kit/values/values.tsx'
import { useRead } from '../../../lib/query.ts'
import { workflowPath } from '../../workflows/actions.ts'
import { useT } from '../text.ts'
import { Rows } from '../values/rows.tsx'
import classes from '../projects.module.css'

/** What failed lately in a project, and which of its workflows have mistakes. */
export function HealthTab({ projectId }: { projectId: string }) {
  const health = useRead(projectInsight.health, { id: projectId })
  return (
    <Load of={health} part skeleton={<LinesSkeleton lines={6} />}>
      {(data) => <Health health={data} />}
    </Load>
  )
}

function Health({ health }: { health: ProjectHealth }) {
  const t = useT()
  const { days, runs, failures, workflows } = health
  return (
    <Stack gap={16}>
      <div className={classes.stats}>
        <Stat label={t('insight.succeeded', { count: days })} value={<Num value={runs.succeeded} />} />
        <Stat label={t('insight.failed', { count: days })} value={<Num value={runs.failed} />} />
        <Stat label={t('insight.wrong')} value={<Num value={workflows.length} />} />
      </div>
      <Section title={t('insight.wrong')}>
        {workflows.length === 0 ? (
          <Text c="dimmed">{t('insight.noneWrong')}</Text>
        ) : (
          <Rows
            label={t('insight.wrong')}
            heads={[t('insight.workflow'), t('insight.errors'), t('insight.warnings')]}
            rows={workflows}
            keyOf={({ id }) => id}
            cells={({ id, name, errors, warnings }) => [
              <Link key="name" to={workflowPath(id)}>
                <bdi>{name}</bdi>
              </Link>,
              <Num key="errors" value={errors} />,
              <Num key="warnings" value={warnings} />,
            ]}
          />
        )}
      </Section>
      <Section title={t('insight.failures')}>
        {failures.length === 0 ? (
          <Text c="dimmed">{t('insight.noFailures', { count: days })}</Text>
        ) : (
          <Rows
            label={t('insight.failures')}
            heads={[t('insight.when'), t('insight.workflow'), t('insight.reason')]}
            rows={failures}
            keyOf={({ runId }) => runId}
            cells={({ runId, at, workflowName, errorClass, message }) => [
              <Link key="at" to={`/cms/run/info/${runId}`}>
                <Time at={at} />
              </Link>,
              <bdi key="name">{workflowName}</bdi>,
              message === null && errorClass === null ? (
                <Dash key="why" />
              ) : (
                <bdi key="why">{message ?? errorClass}</bdi>
              ),
            ]}
          />
        )}
      </Section>
    </Stack>
  )
}
