import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign } from '@weft/contract/campaigns/schema'
import { ITEM_STATES } from '@weft/contract/campaigns/states'
import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { runPath } from '../../runs/paths.ts'
import { editorPath, itemPath } from '../paths.ts'
import { useT } from '../text.ts'
import { itemActions } from './item-actions.ts'
import { itemColumns } from './item-columns.tsx'
import { itemName } from './item-name.ts'
import classes from './monitor.module.css'
import { ResultsMenu } from './results-menu.tsx'

/** The ledger: a row per item, each opening its run. */
export function ItemsTab({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const { per } = campaign.pairing
  const columns = useMemo(() => itemColumns(per), [per])
  const list = useResourceTable(campaigns.items, {
    columns,
    actions: itemActions,
    fixed: { id: campaign.id },
    openTo: ({ runId, id }) => (runId ? runPath(runId) : itemPath(campaign.id, id)),
    nameOf: itemName,
    selectable: false,
    // Why an item waits is also a matter of the clients.
    live: ['runs', 'clients'],
    defaultSort: { by: 'seq', desc: false },
    empty: {
      title: t('items.empty'),
      text: t('items.emptyText'),
      action:
        campaign.state === 'draft' && campaign.can.includes('update') ? (
          <Button component={Link} to={editorPath(campaign.id)} variant="default">
            {t('items.toEditor')}
          </Button>
        ) : undefined,
    },
  })
  return (
    <div className={classes.stack}>
      <Filters of={list}>
        <SearchFilter placeholder={t('items.search')} />
        <SelectFilter name="state" options={ITEM_STATES} />
        <ResultsMenu campaign={campaign} />
      </Filters>
      {list.table}
    </div>
  )
}
