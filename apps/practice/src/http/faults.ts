import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Store } from '../store/store.ts'
import { SiteError } from './site-error.ts'
import { dropSession, recordOf, type Visit, visitOf } from './visit.ts'

/**
 * Addresses that never fail: what sets the faults, what tests check results with, and what a page pulls in by itself
 * (counting those would make "every nth request" depend on a browser's cache).
 */
const ALWAYS_WORKS = [
  '/assets/',
  '/pictures/',
  '/switches',
  '/api/switches',
  '/api/health',
  '/api/notices/count',
]

/** Waits, but no longer than the site is up. */
export async function waitMs(ms: number, closing: AbortSignal): Promise<void> {
  if (ms <= 0 || closing.aborted) return
  await sleep(ms, undefined, { signal: closing }).catch((error: unknown) => {
    if (!closing.aborted) throw error
  })
}

/** Closes the connection without an answer. */
export function dropConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.destroy()
}

/** Whose switches count: the account's own, also while it is still signing in. */
function usernameOf(request: FastifyRequest, visit: Visit): string | null {
  if (visit.account) return visit.account.username
  const { username } = recordOf(request.body)
  return visit.page === '/sign-in' && typeof username === 'string' ? username : null
}

/** Applies the switches and the words of the address to every request. */
export function addFaults(app: FastifyInstance, store: Store, closing: AbortSignal): void {
  app.addHook('preHandler', async (request, reply) => {
    const visit = visitOf(request)
    if (ALWAYS_WORKS.some((path) => visit.page.startsWith(path))) return
    const username = usernameOf(request, visit)
    const kind = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write'
    const ruling = store.switches.rule(username, kind)
    const switches = store.switches.applying(username)
    const { tries } = visit

    await waitMs(Math.max(store.switches.delayMs(username, kind), tries.slow ?? 0), closing)
    if (ruling.drop || tries.drop) {
      dropConnection(request, reply)
      return
    }
    if (tries.maintenance || switches.some((scope) => scope.maintenance))
      throw new SiteError(503, 'maintenance')
    const failStatus = tries.fail ?? ruling.failStatus
    if (failStatus !== null) throw new SiteError(failStatus, 'failed')

    visit.renamed = tries.renamed ?? switches.some((scope) => scope.renamed)
    visit.wrongNumber = tries['wrong-number'] ?? switches.some((scope) => scope.wrongNumber)
    const ages = switches.map((scope) => scope.sessionSeconds).filter((seconds) => seconds > 0)
    const age = visit.session ? (Date.now() - visit.session.startedAt) / 1000 : 0
    if (visit.session && (tries.expired || age >= Math.min(...ages))) dropSession(visit, store)
  })
}

/** Whether the answer to a notice just saved is to be lost. */
export function losesAnswer(visit: Visit, store: Store, username: string): boolean {
  const bySwitch = store.switches.losesAnswer(username)
  return visit.tries['lose-answer'] ?? bySwitch
}

/** Whether sign-in is refused to an account. */
export function refusesSignIn(visit: Visit, store: Store, username: string): boolean {
  return (
    visit.tries['refuse-sign-in'] ?? store.switches.applying(username).some((scope) => scope.refuseSignIn)
  )
}
