import { useMemo } from 'react'
import { activities } from '@weft/contract/activities/api'
import { ACTIVITY_CATEGORIES } from '@weft/contract/activities/schema'
import { CreateButton } from '../../kit/actions/create-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../kit/list/filters.tsx'
import { useResourceTable } from '../../kit/list/use-resource-table.tsx'
import { Page } from '../../kit/page/page.tsx'
import { activityActions } from './actions.ts'
import { activityColumns } from './columns.tsx'
import { useActivityWords, useT } from './text.ts'
import { useFigures } from './use-figures.ts'

const FLAGS = ['true', 'false'] as const

/** All activities: what they are, whether they are on, how much they are used and how often they fail. */
export function ActivityList() {
  const t = useT()
  const { titleOf } = useActivityWords()
  const figuresOf = useFigures()
  const columns = useMemo(() => activityColumns(titleOf, figuresOf), [titleOf, figuresOf])
  const actions = useMemo(() => activityActions(figuresOf), [figuresOf])
  const list = useResourceTable(activities.list, {
    columns,
    actions,
    nameOf: titleOf,
    perPage: 50,
  })
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      count={list.count}
      actions={<CreateButton for={activities.create} to="/cms/config/activity/new" />}
    >
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="category" options={ACTIVITY_CATEGORIES} />
        <SelectFilter name="enabled" options={FLAGS} />
        <SelectFilter name="builtIn" options={FLAGS} />
      </Filters>
      {list.table}
    </Page>
  )
}
