import { and, eq, inArray, or } from 'drizzle-orm'
import { views } from '@weft/contract/views/api'
import type { Feature } from '../../kit/feature.ts'
import { isId } from '../../kit/id.ts'
import { implement } from '../../kit/implement.ts'
import { SHARED_GONE, viewHandlers } from './handlers.ts'
import { listView } from './table.ts'

/** Saved views of lists: everybody's own, and what people share. */
export const viewsFeature: Feature = {
  name: 'views',
  mount(app) {
    implement(app, views, viewHandlers(app))
  },
  visible: {
    /** One’s own and the shared ones, oneself when one’s default changed, and everybody when a shared one is gone. */
    async views({ tx, user }, ids) {
      const rows = await tx
        .select({ id: listView.id })
        .from(listView)
        .where(
          and(inArray(listView.id, ids.filter(isId)), or(listView.shared, eq(listView.ownerId, user.id))),
        )
      return new Set([...rows.map(({ id }) => id), user.id, SHARED_GONE])
    },
  },
}
