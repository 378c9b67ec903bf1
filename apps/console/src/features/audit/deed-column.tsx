import { Anchor } from '@mantine/core'
import type { AuditRow } from '@weft/contract/audit/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { deedWords } from './text.ts'

const col = columnsOf<AuditRow>()

/** What was done, in words; pressing it opens the whole entry. */
export const deedColumn = (open: (row: AuditRow) => void, label?: string) =>
  col.cell(
    'label',
    (row) => (
      <Anchor component="button" type="button" inherit ta="start" onClick={() => open(row)}>
        {deedWords(row.label)}
      </Anchor>
    ),
    { grow: true, isName: true, ...(label === undefined ? {} : { label }) },
  )
