import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { routes as routesApi } from '@weft/contract/routes/api'
import type { MenuState, MenuTree, MenuVersion } from '@weft/contract/routes/schema'
import type { RouteNode } from '@weft/contract/system/schema'
import { decisionsFor } from '../../kit/access.ts'
import { AppError, fieldError } from '../../kit/app-error.ts'
import type { CallContext, Decisions, Tx } from '../../kit/context.ts'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { iso } from '../../kit/record.ts'
import { rulesOf } from '../access/line.ts'
import { appUser, role } from '../access/table.ts'
import { ROUTES, routesFor } from '../system/routes.ts'
import { arrange } from './arrange.ts'
import { checkTree } from './check.ts'
import { mergedTree, shippedPages, shippedTree } from './shipped.ts'
import { routeTree } from './table.ts'

const VERSIONS_SHOWN = 100

/** The console's menu: arranged by the installation, kept in versions, previewed as a role would see it. */
export const routesFeature: Feature = {
  name: 'routes',
  mount(app) {
    implement(app, routesApi, {
      get: (ctx) => stateOf(ctx.tx),

      async save(ctx, { version, tree, note }) {
        checkTree(tree, shippedPages(ROUTES))
        return keep(ctx, version, { tree, note, restored: null })
      },

      async versions(ctx) {
        const rows = await ctx.tx
          .select({ row: routeTree, by: { id: appUser.id, name: appUser.displayName } })
          .from(routeTree)
          .leftJoin(appUser, eq(appUser.id, routeTree.createdBy))
          .orderBy(desc(routeTree.version))
          .limit(VERSIONS_SHOWN)
        const data = rows.map(({ row, by }): MenuVersion => ({
          version: row.version,
          at: iso(row.createdAt),
          by,
          note: row.note,
          restored: row.restored,
          isShipped: row.tree === null,
          tree: row.tree ?? shippedTree(ROUTES),
        }))
        return { data, totalPage: 1, totalRecord: data.length }
      },

      async restore(ctx, { version, to, note }) {
        if (to === 0) return keep(ctx, version, { tree: null, note, restored: 0 })
        const [row] = await ctx.tx.select().from(routeTree).where(eq(routeTree.version, to))
        if (!row) throw fieldError('to', 'link.not_found', 'There is no such version')
        return keep(ctx, version, { tree: row.tree, note, restored: to })
      },

      async preview(ctx, { role: key, tree }) {
        const [found] = await ctx.tx
          .select({ key: role.key, builtIn: role.builtIn, rules: role.rules })
          .from(role)
          .where(and(eq(role.key, key), isNull(role.deletedAt)))
        if (!found) throw fieldError('role', 'link.not_found', 'There is no such role')
        if (tree) checkTree(tree, shippedPages(ROUTES))
        const decisions = decisionsFor(rulesOf([found]), null)
        return { routes: await menuFor(ctx.tx, decisions, true, tree) }
      },
    })
  },
}

/** The routes that a visitor may see, in the order of the installation's menu or of the one that is given. */
export async function menuFor(
  tx: Tx,
  decisions: Decisions,
  signedIn: boolean,
  given?: MenuTree,
): Promise<RouteNode[]> {
  const visible = routesFor(decisions, signedIn)
  const tree = given ?? (await newest(tx))?.tree
  return tree ? arrange(visible, mergedTree(tree, ROUTES)) : visible
}

async function newest(tx: Tx) {
  const [row] = await tx.select().from(routeTree).orderBy(desc(routeTree.version)).limit(1)
  return row
}

async function stateOf(tx: Tx): Promise<MenuState> {
  const row = await newest(tx)
  const shipped = shippedTree(ROUTES)
  return {
    version: row?.version ?? 0,
    isShipped: !row?.tree,
    tree: row?.tree ? mergedTree(row.tree, ROUTES) : shipped,
    shippedTree: shipped,
    pages: shippedPages(ROUTES),
  }
}

/** Keeps a menu as the next version, made on `version`; a stale one is answered with the menu as it is now. */
async function keep(
  ctx: CallContext,
  version: number,
  save: { tree: MenuTree | null; note: string; restored: number | null },
): Promise<MenuState> {
  await ctx.tx.execute(sql`select pg_advisory_xact_lock(hashtext('route tree'))`)
  const before = await stateOf(ctx.tx)
  if (before.version !== version) throw new AppError('record.stale', {}, { current: before })
  const next = version + 1
  await ctx.tx.insert(routeTree).values({ version: next, ...save, createdBy: ctx.user.id })
  const after = await stateOf(ctx.tx)
  ctx.audit({
    feature: 'routes',
    recordId: null,
    before: { version, tree: before.tree },
    after: { version: next, tree: after.tree, note: save.note },
  })
  ctx.event({ feature: 'system', id: 'routes', kind: 'updated' })
  return after
}
