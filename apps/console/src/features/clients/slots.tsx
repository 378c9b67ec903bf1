import { Link } from 'react-router'
import type { Client } from '@weft/contract/clients/schema'
import { runs } from '@weft/contract/runs/api'
import type { Run } from '@weft/contract/runs/schema'
import { Section } from '../../kit/page/page.tsx'
import { Load } from '../../kit/states/states.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { Elapsed, Ltr } from '../../kit/values/values.tsx'
import { useRead } from '../../lib/query.ts'
import classes from './clients.module.css'
import { useT } from './text.ts'

const UNDER_WAY = ['leased', 'running', 'waiting'] as const

/** What each slot of a client does now. */
export function ClientSlots({ client }: { client: Client }) {
  const t = useT()
  const { id, thread } = client
  const live = useRead(runs.list, { clientId: id, cycle: [...UNDER_WAY], perPage: 100 }, { keep: true })
  return (
    <Section
      title={t('slots.title')}
      flush
      aside={<span className={classes.dim}>{t('work.busy', { busy: client.work.busy, slots: thread })}</span>}
    >
      <Load of={live} part>
        {({ data }) =>
          data.length === 0 ? (
            <p className={classes.noneBusy}>{t('slots.none')}</p>
          ) : (
            <ul className={classes.slots}>
              {data.map((run) => (
                <Slot key={run.id} run={run} />
              ))}
            </ul>
          )
        }
      </Load>
    </Section>
  )
}

function Slot({ run }: { run: Run }) {
  return (
    <li className={classes.slot}>
      <StatusBadge value={run.cycle} />
      <span className={classes.slotName}>
        <Link to={`/cms/run/info/${run.id}`}>
          <bdi>{run.campaignTitle ?? (run.workflowName || (run.accountName ?? run.id))}</bdi>
        </Link>
      </span>
      {run.accountName && (
        <span className={classes.dim}>
          <Ltr>{run.accountName}</Ltr>
        </span>
      )}
      {run.step && (
        <span className={classes.dim}>
          <bdi>{run.step}</bdi>
        </span>
      )}
      <span className={classes.slotTime}>
        <Elapsed from={run.startedAt} to={null} />
      </span>
    </li>
  )
}
