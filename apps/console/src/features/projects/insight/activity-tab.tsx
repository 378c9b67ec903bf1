import { useState } from 'react'
import type { AuditRow } from '@weft/contract/audit/schema'
import { projectInsight } from '@weft/contract/projects/insight-api'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { ListInPage } from '../../../kit/list/list-in-page.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { optionLabel } from '../../../lib/i18n/names.ts'
import { deedColumn } from '../../audit/deed-column.tsx'
import { AuditDrawer } from '../../audit/drawer.tsx'
import { deedWords } from '../../audit/text.ts'
import { useT } from '../text.ts'

const col = columnsOf<AuditRow>()

/** Who changed the project and what is in it, and how. */
export function ActivityTab({ projectId }: { projectId: string }) {
  const t = useT()
  const [open, setOpen] = useState<AuditRow | null>(null)
  const list = useResourceTable(projectInsight.activity, {
    columns: [
      deedColumn(setOpen, 'deed'),
      col.cell('actorName', (row) => <bdi>{row.actorName || t('insight.program')}</bdi>, { label: 'who' }),
      col.cell('feature', (row) => optionLabel('audit', 'feature', row.feature), { label: 'area' }),
      col.date('at'),
    ],
    fixed: { id: projectId },
    key: 'activity',
    openTo: () => null,
    nameOf: ({ label }) => deedWords(label),
    selectable: false,
    live: ['workflows', 'campaigns'],
  })
  return (
    <ListInPage of={list}>
      <AuditDrawer row={open} close={() => setOpen(null)} narrow={() => setOpen(null)} />
    </ListInPage>
  )
}
