import { lazy, Suspense } from 'react'
import type { MenuItem } from '../../lib/navigation/menu.ts'

const PATH = '/cms/campaign/questions'
const OpenCount = lazy(() => import('../../features/questions/open-count.tsx'))

/** Beside the entry that leads to the questions, or the closed group that it is in: how many wait for an answer. */
export function MenuCount({ item }: { item: MenuItem }) {
  return item.to === PATH || item.children.some(({ to }) => to === PATH) ? (
    <Suspense fallback={null}>
      <OpenCount />
    </Suspense>
  ) : null
}
