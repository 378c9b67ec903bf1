import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { proxies } from '@weft/contract/proxies/api'
import type { ProxyCheck } from '@weft/contract/proxies/schema'
import { AppError } from '../../../kit/app-error.ts'
import type { CallContext, Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { prepared, type Implementation } from '../../../kit/implement.ts'
import { fieldErrors } from '../../../kit/parse.ts'
import { findRecord, iso } from '../../../kit/record.ts'
import { foundBy } from '../../../kit/list.ts'
import { sourceOf } from '../../../kit/resource/definition.ts'
import { listSource } from '../../../kit/resource/view.ts'
import { proxyResource } from '../resource.ts'
import { proxy } from '../table.ts'
import { checkProxies } from './jobs.ts'
import { askForCheck } from './line.ts'
import { wayOf } from './run.ts'
import { proxyCheck } from './table.ts'
import { checkPlan, type ProxyTrier } from './try-proxy.ts'

type Calls = Pick<Implementation<typeof proxies>, 'check' | 'checking' | 'checkSetup' | 'test'>

/** The calls about checks of proxies. */
export function checkHandlers(deps: Deps, trier: ProxyTrier): Calls {
  return {
    async check(ctx, { selection }) {
      const { id, total } = await askForCheck(ctx.tx, ctx.user.id, selected(ctx, selection))
      if ('ids' in selection && total === 0) throw new AppError('record.not_found')
      ctx.audit({ feature: 'proxies', recordId: null, after: { selection, total } })
      ctx.event({ feature: 'proxies', id, kind: 'progress', ownerId: ctx.user.id })
      if (total > 0) await ctx.enqueue(checkProxies, {}, { singletonKey: 'line' })
      const state = await stateOf(ctx.tx, id)
      if (!state) throw new AppError('record.not_found')
      return state
    },

    async checking({ tx, user }) {
      const [last] = await tx
        .select({ id: proxyCheck.id })
        .from(proxyCheck)
        .where(eq(proxyCheck.ownerId, user.id))
        .orderBy(desc(proxyCheck.startedAt))
        .limit(1)
      return last ? stateOf(tx, last.id) : null
    },

    async checkSetup() {
      const { target, local, chosen, everyMinutes } = checkPlan(await deps.system.all(), deps.settings)
      return { url: target.href, local: local && !chosen, everyMinutes }
    },

    test: prepared(
      proxies.test,
      async (ctx, { id, password, ...given }) => {
        const kept =
          id === undefined ? undefined : await keptPassword({ ...ctx, tx: ctx.db }, deps, id, given)
        const way = { ...given, password: password === undefined ? (kept ?? null) : password }
        return trier.try(way, checkPlan(await deps.system.all(), deps.settings), ctx.signal)
      },
      async (_ctx, _input, outcome) =>
        outcome.ok
          ? { ...outcome, error: null }
          : { ...outcome, latencyMs: null, exitIp: null, country: null },
    ),
  }
}

/** The stored password, where everything else is as stored: it goes to no other place than the one it was given for. */
async function keptPassword(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  deps: Deps,
  id: string,
  given: { protocol: string; host: string; port: number; username: string | null },
): Promise<string | null> {
  const row = await findRecord(ctx, sourceOf(proxyResource), id, 'RUN')
  const way = wayOf(deps, row)
  const same =
    way.protocol === given.protocol &&
    way.host === given.host &&
    way.port === given.port &&
    way.username === given.username
  return same ? way.password : null
}

/** The condition of the chosen proxies, as far as the person may have them checked. */
function selected(ctx: CallContext, selection: { ids: string[] } | { query: Record<string, unknown> }) {
  if ('ids' in selection) {
    const everything = listSource(ctx, { ...proxyResource, filter: () => [] }, {}, { action: 'RUN' })
    return and(...everything.where, inArray(proxy.id, selection.ids))
  }
  const parsed = proxies.list.input.safeParse(selection.query)
  if (!parsed.success) {
    const errors = fieldErrors(parsed.error, selection.query)
    throw new AppError(
      'request.invalid',
      {},
      { errors: errors.map((error) => ({ ...error, path: `selection.query.${error.path}` })) },
    )
  }
  const input = { ...parsed.data, trashed: false }
  const source = listSource(ctx, proxyResource, input, { action: 'RUN' })
  return and(...source.where, foundBy(input.q, source))
}

async function stateOf(tx: Tx, id: string): Promise<ProxyCheck | null> {
  const [row] = await tx
    .select({
      check: proxyCheck,
      left: sql<number>`(select count(*)::int from proxy_due d where d.check_id = ${proxyCheck}.id)`,
    })
    .from(proxyCheck)
    .where(eq(proxyCheck.id, id))
  if (!row) return null
  const { check, left } = row
  return {
    id,
    total: check.total,
    done: Math.max(0, check.total - left),
    good: check.good,
    bad: check.bad,
    startedAt: iso(check.startedAt),
    finishedAt: iso(check.finishedAt),
  }
}
