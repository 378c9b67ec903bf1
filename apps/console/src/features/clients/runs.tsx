import { Stack } from '@mantine/core'
import { Link } from 'react-router'
import { runs } from '@weft/contract/runs/api'
import { RUN_CYCLES, RUN_RESULTS, type Run } from '@weft/contract/runs/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Filters, SelectFilter } from '../../kit/list/filters.tsx'
import { useResourceTable } from '../../kit/list/use-resource-table.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { Elapsed, Dash } from '../../kit/values/values.tsx'

const col = columnsOf<Run>()

const columns = [
  // In an attended run a person signs in to an account; it has no workflow.
  col.name('workflowName', { value: (run) => run.workflowName || (run.accountName ?? run.id) }),
  col.cell('result', (run) => <StatusBadge value={run.result ?? run.cycle} />),
  col.cell('campaignTitle', (run) =>
    run.campaignId ? (
      <Link to={`/cms/campaign/info/${run.campaignId}`} onClick={(event) => event.stopPropagation()}>
        <bdi>{run.campaignTitle}</bdi>
      </Link>
    ) : (
      <Dash />
    ),
  ),
  col.ltr('accountName'),
  col.text('step', { phone: false }),
  col.date('queuedAt'),
  col.cell('duration', (run) => <Elapsed from={run.startedAt} to={run.finishedAt} />),
]

/** The runs that a client has, the newest first. */
export function ClientRuns({ id }: { id: string }) {
  const list = useResourceTable(runs.list, {
    columns,
    fixed: { clientId: id },
    key: 'runs',
    openTo: (run) => `/cms/run/info/${run.id}`,
    defaultSort: { by: 'queuedAt', desc: true },
    selectable: false,
  })
  return (
    <Stack gap={12}>
      <Filters of={list}>
        <SelectFilter name="cycle" options={RUN_CYCLES} />
        <SelectFilter name="result" options={RUN_RESULTS} />
      </Filters>
      {list.table}
    </Stack>
  )
}
