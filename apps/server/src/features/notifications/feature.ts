import { sql } from 'drizzle-orm'
import { notifications } from '@weft/contract/notifications/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { notificationHandlers } from './handlers.ts'
import { lookOut } from './look-out.ts'
import { notification } from './table.ts'

const LOOK_MS = 15_000

/** What people are told and find again. */
export const notificationsFeature: Feature = {
  name: 'notifications',
  mount(app) {
    implement(app, notifications, notificationHandlers())
  },
  visible: {
    /** One's own, and oneself: that is told when some were read. */
    async notifications({ tx, user }, ids) {
      const rows = await tx
        .select({ id: notification.id })
        .from(notification)
        .where(
          sql`${notification.userId} = ${user.id} and ${notification.id}::text = any(${sql.param([...ids])}::text[])`,
        )
      return new Set([...rows.map(({ id }) => id), user.id])
    },
  },
  start(deps) {
    if (!deps.settings.roles.has('scheduler')) return Promise.resolve(() => Promise.resolve())
    let looking: Promise<void> | undefined
    const look = () => {
      looking ??= lookOut(deps.db)
        .catch((error: unknown) =>
          deps.log.warn({ err: error }, 'what to tell people could not be looked for yet'),
        )
        .finally(() => {
          looking = undefined
        })
    }
    const every = setInterval(look, LOOK_MS)
    return Promise.resolve(async () => {
      clearInterval(every)
      await looking
    })
  },
}
