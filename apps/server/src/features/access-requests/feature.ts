import { eq } from 'drizzle-orm'
import { accessRequests } from '@weft/contract/access-requests/api'
import type { Action, Subject } from '@weft/contract/core/permissions'
import type { RouteNode } from '@weft/contract/system/schema'
import { AppError } from '../../kit/app-error.ts'
import type { Decisions, Tx } from '../../kit/context.ts'
import type { Feature } from '../../kit/feature.ts'
import { implement, prepared } from '../../kit/implement.ts'
import { appUser, type UserRow } from '../access/table.ts'
import { onceIn } from '../access/throttle.ts'
import { notify } from '../notifications/notify.ts'
import { ROUTES } from '../system/routes.ts'
import { giversOf } from './givers.ts'

const WAIT_SECONDS = 300

/** Asking for a right that one came to lack. */
export const accessRequestsFeature: Feature = {
  name: 'accessRequests',
  mount(app) {
    implement(app, accessRequests, {
      async need(ctx, { path }) {
        const missing = missingFor(path, ctx)
        if (!missing) return { missing: null, givers: [] }
        const person = await rowOf(ctx.tx, ctx.user.id)
        const givers = await giversOf(ctx.tx, person, missing)
        return { missing, givers: givers.map(({ name }) => name) }
      },

      request: prepared(
        accessRequests.request,
        ({ db, user }, { action, subject }) =>
          onceIn(db, `access request\0${user.id}\0${action}\0${subject}`, WAIT_SECONDS),
        async (ctx, { action, subject, note }) => {
          const person = await rowOf(ctx.tx, ctx.user.id)
          const givers = await giversOf(ctx.tx, person, { action, subject })
          await notify(
            ctx.tx,
            givers.map(({ id }) => id),
            {
              kind: 'access.requested',
              params: { person: person.displayName, action, subject, note },
              about: { feature: 'users', id: person.id },
              group: `${person.id} ${action} ${subject}`,
            },
          )
          ctx.audit({
            feature: 'users',
            recordId: person.id,
            after: { action, subject, note, told: givers.length },
          })
          return { told: givers.length }
        },
      ),
    })
  },
}

async function rowOf(tx: Tx, id: string): Promise<UserRow> {
  const [row] = await tx.select().from(appUser).where(eq(appUser.id, id))
  if (!row) throw new AppError('auth.ended')
  return row
}

/** The first right on the way to a page that is not there; of an address that leads nowhere, none. */
function missingFor(
  path: string,
  { can }: Pick<Decisions, 'can'>,
): { action: Action; subject: Subject } | undefined {
  const pathname = path.replace(/[?#].*$/s, '')
  const chain = chainTo(pathname, ROUTES)
  for (const { meta } of chain) {
    const { resource: subject, action = 'VIEW' } = meta
    if (subject && !can(action, subject)) return { action, subject }
  }
  return undefined
}

/** The nodes that lead to a page, outermost first; pages below a node's are its own. */
function chainTo(pathname: string, nodes: readonly RouteNode[]): RouteNode[] {
  let best: RouteNode[] = []
  const look = (at: readonly RouteNode[], above: readonly RouteNode[]) => {
    for (const node of at) {
      const chain = [...above, node]
      const leads = pathname === node.path || pathname.startsWith(`${node.path}/`)
      if (leads && node.path !== '/' && node.path.length > (best.at(-1)?.path.length ?? 0)) best = chain
      look(node.children ?? [], chain)
    }
  }
  look(nodes, [])
  return best
}
