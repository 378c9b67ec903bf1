import { and, eq, isNull, sql } from 'drizzle-orm'
import type { notifications } from '@weft/contract/notifications/api'
import {
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationKind,
} from '@weft/contract/notifications/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { anyOf } from '../../kit/recordset.ts'
import { iso } from '../../kit/record.ts'
import { notification, notificationMute, type NotificationRow } from './table.ts'

/** Reading what one was told, and what one wants to be told. */
export function notificationHandlers(): Implementation<typeof notifications> {
  return {
    list: (ctx, input) =>
      listOf(ctx.tx, input, {
        rows: (tx) => tx.select().from(notification).$dynamic(),
        table: notification,
        id: notification.id,
        where: [
          eq(notification.userId, ctx.user.id),
          input.unread === true ? isNull(notification.readAt) : undefined,
        ],
        search: [],
        sort: { at: notification.at },
        defaultSort: { by: 'at', desc: true },
        present: (rows) => rows.map(present),
      }),

    async unread(ctx) {
      const where = and(eq(notification.userId, ctx.user.id), isNull(notification.readAt))
      return { count: await ctx.tx.$count(notification, where) }
    },

    async read(ctx, { only }) {
      const read = await ctx.tx
        .update(notification)
        .set({ readAt: sql`now()` })
        .where(
          and(
            eq(notification.userId, ctx.user.id),
            isNull(notification.readAt),
            only ? sql`${notification.id} = ${anyOf(only)}` : undefined,
          ),
        )
        .returning({ id: notification.id })
      if (read.length > 0) tellOwnPages(ctx)
      return { changed: read.length }
    },

    muted: async (ctx) => ({ kinds: await mutedBy(ctx.tx, ctx.user.id) }),

    async mute(ctx, { kind, muted }) {
      const userId = ctx.user.id
      if (muted) {
        if (!NOTIFICATION_KINDS[kind].mutable) throw new AppError('record.wrong_state', { state: kind })
        await ctx.tx.insert(notificationMute).values({ userId, kind }).onConflictDoNothing()
      } else
        await ctx.tx
          .delete(notificationMute)
          .where(and(eq(notificationMute.userId, userId), eq(notificationMute.kind, kind)))
      tellOwnPages(ctx)
      return { kinds: await mutedBy(ctx.tx, userId) }
    },
  }
}

/** The person's other pages show it too. */
function tellOwnPages(ctx: CallContext): void {
  const { id } = ctx.user
  ctx.event({ feature: 'notifications', id, kind: 'updated', ownerId: id })
}

async function mutedBy(tx: Tx, userId: string): Promise<NotificationKind[]> {
  const rows = await tx
    .select({ kind: notificationMute.kind })
    .from(notificationMute)
    .where(eq(notificationMute.userId, userId))
    .orderBy(notificationMute.kind)
  return rows.map(({ kind }) => kind)
}

function present(row: NotificationRow): Notification {
  const { id, kind, params, feature, recordId, count } = row
  return { id, kind, params, feature, recordId, count, at: iso(row.at), readAt: iso(row.readAt) }
}
