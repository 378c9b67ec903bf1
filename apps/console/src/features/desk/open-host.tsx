import { Suspense, lazy, useSyncExternalStore } from 'react'
import { textsHere } from '../../lib/i18n/wanted.ts'
import { opening } from './opening.ts'

const OpenDialog = lazy(async () => {
  const part = await import('./open-dialog.tsx')
  await textsHere()
  return part
})

/** The place of the dialog that opens a browser; it is loaded when it is first wanted. One stands on each page with the action. */
export function OpenHost() {
  const what = useSyncExternalStore(opening.subscribe, opening.get)
  return (
    what && (
      <Suspense fallback={null}>
        <OpenDialog key={what.accountId ?? what.profileId} what={what} />
      </Suspense>
    )
  )
}
