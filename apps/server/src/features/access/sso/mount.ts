import { and, eq, gt, isNull } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { SSO_PREFIX } from '@weft/contract/access/sso/api'
import { AppError } from '../../../kit/app-error.ts'
import type { Deps } from '../../../kit/deps.ts'
import { asAppError } from '../../../kit/errors-reply.ts'
import { exchangeOf } from '../../../kit/exchange.ts'
import { transact } from '../../../kit/work.ts'
import { beginSession } from '../begin.ts'
import { hashToken, newToken } from '../tokens.ts'
import { nextStep } from '../two-steps/tickets.ts'
import { callbackUrl } from './handlers.ts'
import { personFor } from './link.ts'
import { beginTrip, configurationOf, endTrip } from './provider.ts'
import { ssoAttempt, ssoProvider, type AttemptRow, type ProviderRow } from './table.ts'

const TRIP_MS = 10 * 60_000
const COOKIE = 'sso'
const NEXT_MAX = 2_000

const startQuery = z.object({
  nextUrl: z.string().max(NEXT_MAX).catch(''),
  remember: z.literal('1').optional().catch(undefined),
})
const keyParams = z.object({ key: z.string().max(40) })
/** Providers may add what they like; only the state is looked at here, the rest by the library. */
const callbackQuery = z.object({ state: z.string().min(1).max(500) })

/**
 * The two addresses of single sign-on that browsers visit. They are pages and not calls: whatever happens, the person ends
 * on a page of the console, which gets a code to say what went wrong.
 */
export function mountSso(app: FastifyInstance): void {
  const { deps } = app
  const visit =
    (answer: (deps: Deps, request: FastifyRequest, reply: FastifyReply) => Promise<string>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        deps.addressRate.take(request.ip, performance.now())
        return await reply.redirect(await answer(deps, request, reply), 302)
      } catch (error) {
        const known = asAppError(error)
        if (known.httpStatus >= 500) request.log.warn({ err: error, code: known.code }, 'a sign-in failed')
        return reply.redirect(`/auth/login?failed=${encodeURIComponent(known.code)}`, 302)
      }
    }
  app.get(`${SSO_PREFIX}/:key/start`, visit(start))
  app.get(`${SSO_PREFIX}/:key/callback`, visit(finish))
}

/** Sends the browser to the provider, and remembers that it was this browser. */
async function start(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const { db, secrets, settings, now } = deps
  const { nextUrl, remember } = startQuery.parse(request.query)
  const provider = await providerOf(deps, request)
  const configuration = await configurationOf(secrets, provider)
  const callback = callbackUrl(settings, provider.key)
  const { trip, url } = await beginTrip(configuration, { scopes: provider.scopes, callback })
  const browser = newToken()
  const stateHash = hashToken(trip.state)
  await db.insert(ssoAttempt).values({
    stateHash,
    providerId: provider.id,
    browserHash: hashToken(browser),
    nonce: trip.nonce,
    sealedVerifier: secrets.seal(trip.verifier, verifierPlace(stateHash)),
    remembered: remember !== undefined,
    nextUrl: ownPath(settings.publicUrl, nextUrl),
    expiresAt: new Date(now().getTime() + TRIP_MS),
  })
  exchangeOf(request, reply).setCookie(COOKIE, browser, {
    ...cookieOf(settings),
    maxAgeSeconds: TRIP_MS / 1000,
  })
  return url.href
}

/** Takes the browser back and begins the session, or asks for the second step. */
async function finish(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const { secrets, settings, now } = deps
  const http = exchangeOf(request, reply)
  const provider = await providerOf(deps, request)
  const attempt = await takeAttempt(deps, provider, request, http.cookie(COOKIE))
  http.clearCookie(COOKIE, cookieOf(settings))
  const configuration = await configurationOf(secrets, provider)
  const returned = new URL(request.url, settings.publicUrl)
  const { state } = callbackQuery.parse(request.query)
  const claims = await endTrip(configuration, returned, {
    state,
    nonce: attempt.nonce,
    verifier: secrets.open(attempt.sealedVerifier, verifierPlace(attempt.stateHash)),
  })
  const actor = { id: null, name: '', address: request.ip, requestId: request.id }
  return transact(deps, actor, async (work) => {
    const user = await personFor(work, provider, claims, now())
    const { remembered, nextUrl } = attempt
    const step = await nextStep(work.tx, { userId: user.id, remembered, now: now() })
    const query = nextUrl === '/' ? '' : `&nextUrl=${encodeURIComponent(nextUrl)}`
    if (step) {
      const { ticket, methods, enrol } = step.twoSteps
      // Behind the #: it is a secret, and goes into no log.
      const kept = new URLSearchParams({ ticket, methods: methods.join(','), enrol: enrol ? '1' : '0' })
      return `/auth/two-steps?sso=1${query}#${kept.toString()}`
    }
    await beginSession(deps, { tx: work.tx, http, address: request.ip }, user.id, remembered)
    work.audit({
      feature: 'users',
      recordId: user.id,
      label: 'sso.sign_in',
      after: { provider: provider.key },
    })
    return `/auth/login?sso=done${query}`
  })
}

async function providerOf({ db }: Deps, request: FastifyRequest): Promise<ProviderRow> {
  const params = keyParams.safeParse(request.params)
  const [row] = await db
    .select()
    .from(ssoProvider)
    .where(
      and(
        eq(ssoProvider.key, params.data?.key ?? ''),
        eq(ssoProvider.enabled, true),
        isNull(ssoProvider.deletedAt),
      ),
    )
  if (!row) throw new AppError('sso.unknown_provider')
  return row
}

/** The trip that this browser began with this provider; it is used up, whatever comes of it. No other browser can. */
async function takeAttempt(
  { db, now }: Deps,
  provider: ProviderRow,
  request: FastifyRequest,
  browser: string | undefined,
): Promise<AttemptRow> {
  const query = callbackQuery.safeParse(request.query)
  if (!query.success || !browser) throw new AppError('sso.ended')
  const [attempt] = await db
    .delete(ssoAttempt)
    .where(
      and(
        eq(ssoAttempt.stateHash, hashToken(query.data.state)),
        eq(ssoAttempt.browserHash, hashToken(browser)),
        eq(ssoAttempt.providerId, provider.id),
        gt(ssoAttempt.expiresAt, now()),
      ),
    )
    .returning()
  if (!attempt) throw new AppError('sso.ended')
  return attempt
}

/** A page of this console; whatever else was asked for becomes its first page. */
function ownPath(publicUrl: string, nextUrl: string): string {
  if (!nextUrl.startsWith('/') || !URL.canParse(nextUrl, publicUrl)) return '/'
  const url = new URL(nextUrl, publicUrl)
  const isOurs = url.origin === new URL(publicUrl).origin && !url.pathname.startsWith('//')
  return isOurs ? `${url.pathname}${url.search}${url.hash}` : '/'
}

const verifierPlace = (stateHash: Buffer) => ({
  table: 'sso_attempt',
  column: 'sealed_verifier',
  row: stateHash.toString('base64url'),
})

/** The browser comes back from another site, so the cookie cannot be a strict one. */
const cookieOf = ({ publicUrl }: { publicUrl: string }) => ({
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: publicUrl.startsWith('https:'),
  path: SSO_PREFIX,
})
