import { Anchor, Stack } from '@mantine/core'
import { useState } from 'react'
import type { AuditRow } from '@weft/contract/audit/schema'
import { projects } from '@weft/contract/projects/api'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { Filters, SearchFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { optionLabel } from '../../../lib/i18n/names.ts'
import { AuditDrawer } from '../../audit/drawer.tsx'
import { deedWords } from '../../audit/text.ts'
import { useT } from '../text.ts'

const col = columnsOf<AuditRow>()

/** Who changed the project and what is in it, and how. */
export function ActivityTab({ projectId }: { projectId: string }) {
  const t = useT()
  const [open, setOpen] = useState<AuditRow | null>(null)
  const list = useResourceTable(projects.activity, {
    columns: [
      col.cell(
        'label',
        (row) => (
          <Anchor component="button" type="button" inherit ta="start" onClick={() => setOpen(row)}>
            {deedWords(row.label)}
          </Anchor>
        ),
        { grow: true, isName: true, label: 'deed' },
      ),
      col.cell('actorName', (row) => <bdi>{row.actorName || t('insight.program')}</bdi>, { label: 'who' }),
      col.cell('feature', (row) => optionLabel('audit', 'feature', row.feature), { label: 'area' }),
      col.date('at'),
    ],
    fixed: { id: projectId },
    key: 'activity',
    openTo: false,
    nameOf: ({ label }) => deedWords(label),
    selectable: false,
    live: ['workflows', 'campaigns'],
  })
  return (
    <Stack gap={12}>
      <Filters of={list}>
        <SearchFilter />
      </Filters>
      {list.table}
      <AuditDrawer row={open} close={() => setOpen(null)} narrow={() => setOpen(null)} />
    </Stack>
  )
}
