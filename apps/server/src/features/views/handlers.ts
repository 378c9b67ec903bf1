import { and, count, eq, isNotNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { views } from '@weft/contract/views/api'
import { MAX_VIEWS, type ViewsOfList } from '@weft/contract/views/schema'
import { databaseFailure } from '../../db/errors.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord, newId } from '../../kit/record.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { appUser, role } from '../access/table.ts'
import { mayTidy, viewsOfList, viewWithId } from './queries.ts'
import { listView, listViewDefault } from './table.ts'

/** Stands for a shared view in the events that tell those who used it that they find it no more. */
export const SHARED_GONE = 'shared'

const NONE: ViewsOfList = { views: [], defaultId: null, ownDefault: false }

/** The calls of saved views. Whose list somebody may not see has no views for them either. */
export function viewHandlers(app: FastifyInstance): Implementation<typeof views> {
  const mayList = (ctx: Pick<CallContext, 'can'>, list: string): boolean => {
    // Of `runs.list#campaign`, the part that a page adds to tell two lists of one call apart is left out.
    const name = list.split('#', 1)[0]
    const endpoint = app.endpoints.find((one) => one.name === name)
    if (!endpoint?.list) return false
    const { access } = endpoint
    return access === 'signedIn' || (typeof access === 'object' && ctx.can(access.action, access.subject))
  }
  const requireList = (ctx: CallContext, list: string): void => {
    if (!mayList(ctx, list)) throw new AppError('link.not_found', { field: 'list' })
  }

  /** A view that the caller has or finds among the shared ones, held until the end. */
  const find = async (ctx: CallContext, id: string) => {
    const [view] = await ctx.tx.select().from(listView).where(eq(listView.id, id)).for('update')
    const seen = view && (view.ownerId === ctx.user.id || view.shared) && mayList(ctx, view.list)
    if (!seen) throw new AppError('record.not_found')
    return view
  }

  const tell = (ctx: CallContext, id: string, kind: 'created' | 'updated' | 'deleted') =>
    ctx.event({ feature: 'views', id, kind, ownerId: ctx.user.id })

  const tellUsers = (ctx: CallContext, { shared }: { shared: boolean }) => {
    if (shared) ctx.event({ feature: 'views', id: SHARED_GONE, kind: 'updated' })
  }

  return {
    list: (ctx, { list }) => (mayList(ctx, list) ? viewsOfList(ctx, list) : Promise.resolve(NONE)),

    async create(ctx, { list, name, shared, state }) {
      requireList(ctx, list)
      // The name of a list may end in anything after its `#`, so it is all of them that are counted; one call at a time.
      await ctx.tx
        .select({ id: appUser.id })
        .from(appUser)
        .where(eq(appUser.id, ctx.user.id))
        .for('no key update')
      const own = eq(listView.ownerId, ctx.user.id)
      const [had] = await ctx.tx.select({ of: count() }).from(listView).where(own)
      if ((had?.of ?? 0) >= MAX_VIEWS) throw new AppError('view.too_many', { maximum: MAX_VIEWS })
      const id = newId()
      const row = { id, ownerId: ctx.user.id, list, name, shared, state }
      await named(() => ctx.tx.insert(listView).values(row))
      ctx.audit({ feature: 'views', recordId: id, after: { list, name, shared } })
      tell(ctx, id, 'created')
      return viewWithId(ctx, id)
    },

    async update(ctx, { id, name, shared, state }) {
      const view = await find(ctx, id)
      const own = view.ownerId === ctx.user.id
      const onlySharing = name === undefined && state === undefined
      if (!own && !(onlySharing && mayTidy(ctx))) throw new AppError('access.denied')
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(shared === undefined ? {} : { shared }),
        ...(state === undefined ? {} : { state }),
      }
      await named(() =>
        ctx.tx
          .update(listView)
          .set({ ...changes, updatedAt: sql`now()` })
          .where(eq(listView.id, id)),
      )
      // Nobody's list opens with what they cannot find.
      if (shared === false)
        await ctx.tx
          .delete(listViewDefault)
          .where(
            and(
              eq(listViewDefault.viewId, id),
              sql`${listViewDefault.userId} is distinct from ${view.ownerId}`,
            ),
          )
      ctx.audit({
        feature: 'views',
        recordId: id,
        before: { name: view.name, shared: view.shared },
        after: { ...changes },
      })
      tell(ctx, id, 'updated')
      if (shared === false) tellUsers(ctx, view)
      // Who tidied away another's view does not find it any more.
      return viewWithId(ctx, id)
    },

    async remove(ctx, { id }) {
      const view = await find(ctx, id)
      if (view.ownerId !== ctx.user.id && !mayTidy(ctx)) throw new AppError('access.denied')
      await ctx.tx.delete(listView).where(eq(listView.id, id))
      ctx.audit({ feature: 'views', recordId: id, before: { list: view.list, name: view.name } })
      tell(ctx, id, 'deleted')
      tellUsers(ctx, view)
    },

    async setDefault(ctx, { list, viewId, roleId, none }) {
      requireList(ctx, list)
      if (roleId !== undefined)
        await findRecord(ctx, { table: role, subject: 'ROLE', columns: scopeColumns(role) }, roleId, 'UPDATE')
      const view = viewId === null ? undefined : await find(ctx, viewId)
      if (view && view.list !== list) throw new AppError('link.not_found', { field: 'viewId' })
      if (view && roleId !== undefined && !view.shared) throw new AppError('view.not_shared')
      const whose =
        roleId === undefined ? eq(listViewDefault.userId, ctx.user.id) : eq(listViewDefault.roleId, roleId)
      if (viewId === null && !(none && roleId === undefined))
        await ctx.tx.delete(listViewDefault).where(and(whose, eq(listViewDefault.list, list)))
      else {
        const column = roleId === undefined ? listViewDefault.userId : listViewDefault.roleId
        await ctx.tx
          .insert(listViewDefault)
          .values({ list, viewId, ...(roleId === undefined ? { userId: ctx.user.id } : { roleId }) })
          .onConflictDoUpdate({
            target: [column, listViewDefault.list],
            targetWhere: isNotNull(column),
            set: { viewId },
          })
      }
      ctx.audit({
        feature: 'views',
        recordId: viewId,
        after: { list, roleId: roleId ?? null, ...(none ? { none } : {}) },
      })
      tell(ctx, viewId ?? ctx.user.id, 'updated')
      return viewsOfList(ctx, list)
    },
  }
}

async function named<R>(write: () => PromiseLike<R>): Promise<R> {
  try {
    return await write()
  } catch (error) {
    if (databaseFailure(error)?.constraint !== 'list_view_name') throw error
    const params = { field: 'name' }
    throw new AppError('record.duplicate', params, {
      cause: error,
      errors: [{ path: 'name', code: 'record.duplicate', message: 'Taken already', params }],
    })
  }
}
