import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { viewStateSchema, type View, type ViewsOfList } from '@weft/contract/views/schema'
import type { CallContext } from '../../kit/context.ts'
import { iso } from '../../kit/record.ts'
import { appUser, role, userRole } from '../access/table.ts'
import { listView, listViewDefault } from './table.ts'

/** Shared views of others beyond so many are not shown; nobody looks through more. */
const MAX_SHOWN = 300

type Reading = Pick<CallContext, 'tx' | 'user' | 'can'>

/** The views of a list that the caller may use. */
export async function viewsOfList(ctx: Reading, list: string): Promise<ViewsOfList> {
  const rows = await ctx.tx
    .select({ view: listView, ownerName: appUser.displayName })
    .from(listView)
    .innerJoin(appUser, eq(appUser.id, listView.ownerId))
    .where(and(eq(listView.list, list), or(listView.shared, eq(listView.ownerId, ctx.user.id))))
    .orderBy(sql`${listView.ownerId} <> ${ctx.user.id}`, asc(sql`lower(${listView.name})`), asc(listView.id))
    .limit(MAX_SHOWN)
  const ids = rows.map(({ view }) => view.id)
  const given = ids.length === 0 ? [] : await rolesOfViews(ctx, ids)
  const views = rows.flatMap(({ view, ownerName }) => present(ctx, view, ownerName, given))
  const known = new Set(views.map(({ id }) => id))
  const chosen = (await defaultsOf(ctx, list)).find(({ viewId }) => viewId === null || known.has(viewId))
  return { views, defaultId: chosen?.viewId ?? null, ownDefault: chosen?.own ?? false }
}

/** One view that is known to be there. */
export async function viewWithId(ctx: Reading, id: string): Promise<View> {
  const rows = await ctx.tx
    .select({ view: listView, ownerName: appUser.displayName })
    .from(listView)
    .innerJoin(appUser, eq(appUser.id, listView.ownerId))
    .where(eq(listView.id, id))
  const given = await rolesOfViews(ctx, [id])
  const [found] = rows.flatMap(({ view, ownerName }) => present(ctx, view, ownerName, given))
  if (!found) throw new Error(`the view ${id} is not there`)
  return found
}

interface RoleOfView {
  viewId: string | null
  id: string
  name: string
}

function rolesOfViews(ctx: Reading, ids: readonly string[]): Promise<RoleOfView[]> {
  return ctx.tx
    .select({ viewId: listViewDefault.viewId, id: role.id, name: role.name })
    .from(listViewDefault)
    .innerJoin(role, eq(role.id, listViewDefault.roleId))
    .where(inArray(listViewDefault.viewId, [...ids]))
    .orderBy(asc(role.name))
}

/** A view that an older version kept and that cannot be read any more is left out. */
function present(
  ctx: Reading,
  view: typeof listView.$inferSelect,
  ownerName: string,
  given: readonly RoleOfView[],
): View[] {
  const state = viewStateSchema.safeParse(view.state)
  if (!state.success) return []
  const own = view.ownerId === ctx.user.id
  const roles = given.filter(({ viewId }) => viewId === view.id).map(({ id, name }) => ({ id, name }))
  const { id, list, name, shared } = view
  const can = own ? ['update', 'share', 'delete'] : mayTidy(ctx) ? ['share', 'delete'] : []
  const updatedAt = iso(view.updatedAt)
  return [{ id, list, name, shared, own, ownerName, state: state.data, roles, updatedAt, can }]
}

/** Whoever decides about roles also takes away what others share. */
export function mayTidy(ctx: Pick<CallContext, 'can'>): boolean {
  return ctx.can('UPDATE', 'ROLE')
}

/** What the list opens with for this person, their own choice first. */
async function defaultsOf(ctx: Reading, list: string): Promise<{ viewId: string | null; own: boolean }[]> {
  const found = await ctx.tx
    .select({ viewId: listViewDefault.viewId, userId: listViewDefault.userId })
    .from(listViewDefault)
    .leftJoin(role, eq(role.id, listViewDefault.roleId))
    .where(
      and(
        eq(listViewDefault.list, list),
        or(
          eq(listViewDefault.userId, ctx.user.id),
          inArray(
            listViewDefault.roleId,
            ctx.tx.select({ id: userRole.roleId }).from(userRole).where(eq(userRole.userId, ctx.user.id)),
          ),
        ),
      ),
    )
    .orderBy(sql`${listViewDefault.userId} nulls last`, asc(role.name))
  return found.map(({ viewId, userId }) => ({ viewId, own: userId !== null }))
}
