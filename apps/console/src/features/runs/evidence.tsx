import { Link } from 'react-router'
import type { RunDetail } from '@weft/contract/runs/schema'
import { Empty } from '../../kit/states/states.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { KeyValue } from '../../kit/values/key-value.tsx'
import { Code, Time } from '../../kit/values/values.tsx'
import { runPath } from './paths.ts'
import classes from './run-page.module.css'
import { useT } from './text.ts'

/** The other runs of the same item. */
export function OtherAttempts({ run }: { run: RunDetail }) {
  const t = useT()
  if (run.otherRuns.length === 0) return <Empty title={t('attempts.empty')} text={t('attempts.emptyText')} />
  return (
    <ul className={classes.list}>
      {run.otherRuns.map((other) => (
        <li key={other.id} className={classes.entry}>
          <Link to={runPath(other.id)}>{t('attempt', { attempt: other.attempt })}</Link>
          <StatusBadge value={other.result ?? 'running'} />
          <span className={classes.dim}>
            <Time at={other.queuedAt} exact />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What an agent told after the run was over: kept to be read, applied to nothing. */
export function LateReports({ run }: { run: RunDetail }) {
  const t = useT()
  return (
    <>
      <p className={classes.lead}>{t('late.text')}</p>
      <ul className={classes.list}>
        {run.lateReports.map((report, at) => (
          <li key={`${report.at}${at}`} className={classes.entry}>
            <Time at={report.at} exact />
            <Code>{report.kind}</Code>
            <div style={{ width: '100%' }}>
              <KeyValue value={report.detail} />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
