import { Suspense, lazy, useSyncExternalStore } from 'react'
import { purging } from './purging.ts'

const PurgeDialog = lazy(() => import('./purge-dialog.tsx'))

/** The place of the dialog that asks before something goes for good; `settled` is called when what is shown is read anew. */
export function PurgeHost({ settled }: { settled: () => void }) {
  const what = useSyncExternalStore(purging.subscribe, purging.get)
  return (
    what && (
      <Suspense fallback={null}>
        <PurgeDialog what={what} settled={settled} />
      </Suspense>
    )
  )
}
