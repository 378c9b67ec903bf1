import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { SYSTEM_READ_ONLY, SYSTEM_RUNNING } from '@weft/contract/system/schema'
import { decisionsFor } from './access.ts'
import { AppError } from './app-error.ts'
import type { AgentIdentity, Decisions, SignedInUser } from './context.ts'
import { checkCsrf } from './csrf.ts'
import type { Deps, Identity, Viewer } from './deps.ts'

/** Who a request comes from, and what of it goes into the handler's context. */
export type Caller =
  | {
      kind: 'user'
      user: SignedInUser
      sessionId: string
      tokenName: string | undefined
      viewer: Viewer | undefined
      context: object
    }
  | { kind: 'agent'; agent: AgentIdentity; context: object }
  | { kind: 'visitor'; visitor: SignedInUser | null; context: object }

/** Lets a request in or refuses it: signed in, allowed to, and the system open for it. */
export async function admit(deps: Deps, endpoint: Endpoint, request: FastifyRequest): Promise<Caller> {
  const caller = await identify(deps, endpoint, request)
  await checkSystem(deps, endpoint, caller)
  return caller
}

async function identify(deps: Deps, endpoint: Endpoint, request: FastifyRequest): Promise<Caller> {
  const token = bearer(request)
  const person = async () => {
    const identity = token === undefined ? null : await deps.identities.authenticate(token)
    if (identity && !endpoint.ownPace)
      deps.rate.take(identity.viewer?.id ?? identity.user.id, performance.now())
    return identity
  }
  /** Whoever is not known, or shows a token that nobody has, is counted by address. */
  const unknown = () => deps.addressRate.take(request.ip, performance.now())
  switch (endpoint.access) {
    case 'public': {
      const identity = await person()
      if (!identity) unknown()
      return visitor(identity?.user ?? null)
    }
    case 'refreshCookie':
      unknown()
      checkCsrf(request, deps.settings)
      return visitor(null)
    case 'agent': {
      const agent = token === undefined ? null : await deps.authenticateAgent(token)
      if (!agent) {
        unknown()
        throw new AppError('auth.required')
      }
      return { kind: 'agent', agent, context: { user: null, agent } }
    }
    default: {
      const identity = await person()
      if (!identity) {
        unknown()
        throw new AppError(token === undefined ? 'auth.required' : 'auth.ended')
      }
      if (identity.tokenName !== undefined && endpoint.access === 'signedIn' && !endpoint.byApiToken)
        throw new AppError('auth.not_by_token')
      if (identity.viewer && endpoint.method !== 'GET' && !endpoint.readsOnly)
        throw new AppError('access.viewing_as')
      const decisions = decisionsOf(identity.user)
      if (endpoint.access !== 'signedIn' && !decisions.can(endpoint.access.action, endpoint.access.subject))
        throw new AppError('access.denied')
      return signedIn(identity, decisions)
    }
  }
}

const visitor = (who: SignedInUser | null): Caller => ({
  kind: 'visitor',
  visitor: who,
  context: { user: null, visitor: who },
})

const signedIn = ({ user, sessionId, tokenName, viewer }: Identity, decisions: Decisions): Caller => ({
  kind: 'user',
  user,
  sessionId,
  tokenName,
  viewer,
  context: { user, sessionId, tokenName, viewer, ...decisions },
})

const known = new WeakMap<SignedInUser, Decisions>()

/** A person's decisions; made once for as long as their session's entry is held. */
export function decisionsOf(user: SignedInUser): Decisions {
  const decisions = known.get(user) ?? decisionsFor(user.rules, user.id)
  known.set(user, decisions)
  return decisions
}

function bearer(request: FastifyRequest): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** Maintenance closes everything but what is marked, and administrators; read-only closes every change. */
async function checkSystem(deps: Deps, endpoint: Endpoint, caller: Caller): Promise<void> {
  if (endpoint.duringMaintenance) return
  const status = await deps.system.status()
  if (status === SYSTEM_RUNNING) return
  if (caller.kind === 'user' && decisionsOf(caller.user).can('MANAGE', 'SYSTEM')) return
  if (status !== SYSTEM_READ_ONLY) {
    const { maintenanceUntil } = await deps.system.all()
    throw new AppError('system.maintenance', {}, { retryAfterSeconds: waitFor(maintenanceUntil, deps.now()) })
  }
  if (endpoint.method !== 'GET') throw new AppError('system.read_only', {}, { retryAfterSeconds: 60 })
}

const WAIT_SECONDS = { least: 60, most: 3_600 }

/** How long a caller had better wait: until the maintenance is to end, where that is known. */
function waitFor(until: string | null, now: Date): number {
  const seconds = until === null ? 0 : Math.ceil((Date.parse(until) - now.getTime()) / 1_000)
  return Math.min(Math.max(seconds, WAIT_SECONDS.least), WAIT_SECONDS.most)
}
