import type { Action, Subject } from '@weft/contract/core/permissions'
import type { RouteMeta } from '@weft/contract/system/schema'
import { isClosed } from '../config.ts'
import { signInUrl } from './next-url.ts'

export const PATHS = {
  maintenance: '/under-maintenance',
  system: '/system',
  systemConfig: '/cms/config/system',
  dashboard: '/dashboard',
  notFound: '/error/404',
  forbidden: '/error/403',
} as const

/** What the guard looks at. */
export interface GuardInput {
  systemStatus: number
  pathname: string
  /** Path with query and hash, to come back to. */
  fullPath: string
  origin: string
  /** Metas of the matched routes; null for a path that no route has. */
  chain: readonly RouteMeta[] | null
  /** The path leads to a page that this console has but this person's list has not. */
  isShipped: boolean
  hasToken: boolean
  can: (action: Action, subject: Subject) => boolean
}

/** What the guard decides. */
export type Decision =
  | { kind: 'show' }
  | { kind: 'redirect'; to: string; missing?: { action: Action; subject: Subject } }

/**
 * In this order: a closed system leads to its maintenance page; an unknown path to 404; a page without the right to it
 * to 403, or, for a visitor on a page that asks for it, to the sign-in.
 */
export function decide(input: GuardInput): Decision {
  const { pathname } = input
  const onMaintenance = pathname === PATHS.maintenance
  if (isClosed(input.systemStatus)) {
    if (onMaintenance) return { kind: 'show' }
    if (!isSystemPath(pathname) && !isSignInForSystem(input.fullPath, input.origin))
      return { kind: 'redirect', to: PATHS.maintenance }
  } else if (onMaintenance) return { kind: 'redirect', to: PATHS.dashboard }
  if (!input.chain) {
    if (!input.isShipped) return { kind: 'redirect', to: PATHS.notFound }
    return input.hasToken
      ? { kind: 'redirect', to: PATHS.forbidden }
      : { kind: 'redirect', to: signInUrl(input.fullPath, input.origin) }
  }
  const missing = missingRight(input.chain, input.can)
  const asksSignIn = input.chain.some(({ requireAuth }) => requireAuth)
  if (asksSignIn && !input.hasToken) return { kind: 'redirect', to: signInUrl(input.fullPath, input.origin) }
  if (missing) return { kind: 'redirect', to: PATHS.forbidden, missing }
  return { kind: 'show' }
}

/** The first right that a page needs and that is not there. */
export function missingRight(
  chain: readonly RouteMeta[],
  can: GuardInput['can'],
): { action: Action; subject: Subject } | undefined {
  for (const { resource, action = 'VIEW' } of chain)
    if (resource && !can(action, resource)) return { action, subject: resource }
  return undefined
}

/** System Config, at the address that stays open and at its place in the menu. */
function isSystemPath(pathname: string): boolean {
  return [PATHS.system, PATHS.systemConfig].some(
    (path) => pathname === path || pathname.startsWith(`${path}/`),
  )
}

/** An administrator must be able to sign in to end the maintenance, and only for that. */
function isSignInForSystem(fullPath: string, origin: string): boolean {
  const { pathname, searchParams } = new URL(fullPath, origin)
  if (pathname !== '/login' && pathname !== '/auth/login') return false
  return isSystemPath(searchParams.get('nextUrl') ?? '')
}
