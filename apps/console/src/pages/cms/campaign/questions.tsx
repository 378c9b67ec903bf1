import { Outlet } from 'react-router'
import { questions } from '@weft/contract/questions/api'
import { QUESTION_STATES } from '@weft/contract/questions/schema'
import { questionColumns } from '../../../features/questions/columns.tsx'
import { useT } from '../../../features/questions/text.ts'
import { Filters, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../kit/page/page.tsx'

/** What runs ask people: open questions to answer, and what became of the others. */
export default function QuestionsPage() {
  const t = useT()
  const list = useResourceTable(questions.list, {
    columns: questionColumns,
    live: ['runs', 'campaigns'],
    selectable: false,
  })
  return (
    <Page title={t('title')} lead={t('lead')} count={list.count}>
      <Filters of={list}>
        <SelectFilter name="state" options={QUESTION_STATES} field="state" />
      </Filters>
      {list.table}
      <Outlet />
    </Page>
  )
}
