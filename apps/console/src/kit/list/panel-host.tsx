import { Suspense, lazy } from 'react'
import type { ListHandle } from './handle.ts'

const HistoryDrawer = lazy(() => import('./history/history-drawer.tsx'))
const BulkResult = lazy(() => import('./bulk/bulk-result.tsx'))

/** Shows what is open over a list. */
export default function ListPanelHost({ list }: { list: ListHandle }) {
  const { panel } = list
  return (
    <Suspense>
      {panel?.kind === 'history' && <HistoryDrawer list={list} row={panel.row} />}
      {panel?.kind === 'bulk' && <BulkResult list={list} id={panel.id} />}
    </Suspense>
  )
}
