import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '../../../kit/deps.ts'
import { openField } from '../../../kit/resource/secrets.ts'
import { systemActor, transact } from '../../../kit/work.ts'
import { proxy, type ProxyRow } from '../table.ts'
import { checkProxies } from './jobs.ts'
import { endChecks, giveBack, isAnyDue, takeSome, type Taken } from './line.ts'
import { settle, type Checked } from './settle.ts'
import type { Way } from './through.ts'
import { checkPlan, type ProxyTrier } from './try-proxy.ts'
import type { Outcome } from './verdict.ts'

/** So many proxies are checked at the same time by one process. */
const PARALLEL = 48
/** Results are written together, this often. */
const WRITE_MS = 100
/** One job goes on for so long, then another one does. */
const JOB_MS = 20_000
const ACTOR = systemActor('proxy check')

/** How a stored proxy is reached. */
export function wayOf(deps: Pick<Deps, 'secrets'>, row: ProxyRow): Way {
  const { protocol, host, port, username } = row
  return { protocol, host, port, username, password: openField(deps.secrets, proxy, 'password', row) }
}

/** A password that no key of ours opens is a wrong one, and no reason to leave the others unchecked. */
function wayIfOpen(deps: Pick<Deps, 'secrets' | 'log'>, row: ProxyRow): Way | undefined {
  try {
    return wayOf(deps, row)
  } catch (error) {
    deps.log.error({ err: error, proxyId: row.id }, 'a proxy’s password cannot be opened')
    return undefined
  }
}

/** Checks what stands in line, many at a time, until nothing is left or the time is over. */
export async function checkDue(deps: Deps, trier: ProxyTrier, signal: AbortSignal): Promise<void> {
  const { db, settings } = deps
  const plan = checkPlan(await deps.system.all(), settings)
  const until = performance.now() + JOB_MS
  const underWay = new Map<string, Promise<void>>()
  const found: Checked[] = []
  const outcomeOf = async (row: ProxyRow): Promise<Outcome> => {
    const way = wayIfOpen(deps, row)
    return way ? trier.try(way, plan, signal) : { ok: false, error: 'credentials' }
  }
  const begin = (taken: Taken) => {
    const { id } = taken.proxy
    const check = outcomeOf(taken.proxy).then(
      (outcome) => void found.push({ ...taken, outcome, at: deps.now() }),
      (error: unknown) => {
        if (!signal.aborted) deps.log.error({ err: error, proxyId: id }, 'a proxy check failed')
      },
    )
    underWay.set(
      id,
      check.finally(() => underWay.delete(id)),
    )
  }
  const write = async () => {
    const some = found.splice(0)
    if (some.length > 0) await transact(deps, ACTOR, (work) => settle(work, some, plan.slowMs))
  }
  try {
    while (!signal.aborted) {
      const room = performance.now() < until ? PARALLEL - underWay.size : 0
      if (room > 0) for (const taken of await db.transaction((tx) => takeSome(tx, room))) begin(taken)
      if (underWay.size === 0 && found.length === 0) break
      await Promise.race([...underWay.values(), delay(WRITE_MS, undefined, { signal })])
      await write()
    }
  } finally {
    await write()
    await giveBack(db, [...underWay.keys()])
  }
  await db.transaction(async (tx) => {
    await endChecks(tx)
    if (await isAnyDue(tx)) await deps.jobs.enqueue(tx, checkProxies, {}, { singletonKey: 'line' })
  })
}
