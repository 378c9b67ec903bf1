import { Stack } from '@mantine/core'
import { Link } from 'react-router'
import { runs } from '@weft/contract/runs/api'
import { RUN_CYCLES, RUN_RESULTS, type Run } from '@weft/contract/runs/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Filters, SelectFilter } from '../../kit/list/filters.tsx'
import { useResourceTable } from '../../kit/list/use-resource-table.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { Elapsed, Dash } from '../../kit/values/values.tsx'
import { optionLabel } from '../../lib/i18n/names.ts'

const col = columnsOf<Run>()

/** What a run is called in this list. */
function nameOf({ workflowName, attended, accountName, id }: Run): string {
  if (attended === null) return workflowName || (accountName ?? id)
  const what = optionLabel('runs', 'attended', attended)
  return accountName === null ? what : `${what}: ${accountName}`
}

const columns = [
  // An attended run has no workflow; it says what a person has the browser for.
  col.name('workflowName', { value: nameOf }),
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
