import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SeedAccount } from '../seed.ts'
import { type Session, SESSION_SECONDS } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Text } from '../text/en.ts'
import { joinPath, type Locale, splitPath, TEXTS } from '../text/locale.ts'
import { SiteError } from './site-error.ts'
import { readCookieTries, readTries, type Tries } from './tries.ts'

const SESSION_COOKIE = 'harbour_session'
const VISIT_COOKIE = 'harbour_visit'
const TRIES_COOKIE = 'harbour_try'

/** Who asks for what, in which language, and with which faults. */
export interface Visit {
  locale: Locale
  text: Text
  /** The path without the language. */
  page: string
  isApi: boolean
  session: Session | null
  /** The account of the session or of the bearer token. */
  account: SeedAccount | null
  /** There was a session and it is over. */
  sessionEnded: boolean
  tries: Tries
  renamed: boolean
  wrongNumber: boolean
  /** Binds forms to this browser. */
  id: string
  formToken: string
  link: (page: string) => string
}

/** Query and body of a request as plain records. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

const VISIT = 'harbourVisit'

/** The visit that belongs to a request. */
export function visitOf(request: FastifyRequest): Visit {
  return request.getDecorator<Visit>(VISIT)
}

function bearerOf(request: FastifyRequest): string | null {
  return /^Bearer (\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

function visitIdOf(request: FastifyRequest): string | null {
  const id = request.cookies[VISIT_COOKIE] ?? ''
  return /^[\w-]{24}$/.test(id) ? id : null
}

/** Recognises every visitor before anything else looks at the request. */
export function addVisits(app: FastifyInstance, store: Store): void {
  app.decorateRequest(VISIT, null)
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const { locale, page } = splitPath(path)
    const isApi = page.startsWith('/api/')
    const cookie = request.cookies[SESSION_COOKIE]
    const session = isApi || cookie === undefined ? null : store.sessions.read(cookie)
    const token = isApi ? bearerOf(request) : null
    const account = session?.account ?? (token === null ? null : store.sessions.byToken(token))
    const known = visitIdOf(request)
    const id = known ?? randomBytes(18).toString('base64url')
    if (!known && !isApi && !page.startsWith('/assets/')) setCookie(reply, VISIT_COOKIE, id)
    const visit: Visit = {
      locale,
      text: TEXTS[locale],
      page,
      isApi,
      session,
      account,
      sessionEnded: cookie !== undefined && session === null,
      tries: readCookieTries(isApi ? undefined : request.cookies[TRIES_COOKIE]),
      renamed: false,
      wrongNumber: false,
      id,
      formToken: store.sessions.sign('form', `${id}\n${account?.username ?? ''}`),
      link: (to) => joinPath(locale, to),
    }
    request.setDecorator(VISIT, visit)
    // After the visit stands, so that a refusal can be shown as a page.
    visit.tries = { ...visit.tries, ...readTries(recordOf(request.query)) }
  })
}

function setCookie(reply: FastifyReply, name: string, value: string, maxAge = SESSION_SECONDS): void {
  void reply.setCookie(name, value, { path: '/', httpOnly: true, sameSite: 'lax', maxAge })
}

/** Signs a browser in. */
export function startSession(reply: FastifyReply, store: Store, account: SeedAccount): void {
  setCookie(reply, SESSION_COOKIE, store.sessions.start(account))
}

/** Forgets the session in the browser. */
export function clearSession(reply: FastifyReply): void {
  void reply.clearCookie(SESSION_COOKIE, { path: '/' })
}

/** Keeps fault words for this browser; empty forgets them. */
export function keepTries(reply: FastifyReply, words: string): void {
  if (words === '') void reply.clearCookie(TRIES_COOKIE, { path: '/' })
  else setCookie(reply, TRIES_COOKIE, words)
}

/** The fault words kept for this browser, as they were written. */
export function cookieTriesOf(request: FastifyRequest): string {
  return (request.cookies[TRIES_COOKIE] ?? '').replaceAll('&', ' ')
}

/** Treats the visitor as signed out for the rest of this request. */
export function dropSession(visit: Visit, store: Store): void {
  visit.session = null
  visit.account = null
  visit.sessionEnded = true
  visit.formToken = store.sessions.sign('form', `${visit.id}\n`)
}

/** Refuses a form that this browser was not given. */
export function checkFormToken(visit: Visit, store: Store, token: unknown): void {
  const text = `${visit.id}\n${visit.account?.username ?? ''}`
  if (typeof token !== 'string' || !store.sessions.verify('form', text, token)) {
    throw new SiteError(403, 'form_expired')
  }
}

/** Sends a visitor without a session to the sign-in page and back afterwards. */
export function askToSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const visit = visitOf(request)
  const query = new URLSearchParams({
    next: visit.link(visit.page),
    why: visit.sessionEnded ? 'ended' : 'required',
  })
  return reply.redirect(`${visit.link('/sign-in')}?${query.toString()}`, 303)
}

/** A path on this site to go on to; anything else becomes the given page. */
export function safeNext(next: unknown, otherwise: string): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])[^\\\s]*$/.test(next)) return otherwise
  const base = 'http://site.invalid'
  const url = URL.parse(next, base)
  return url?.origin === base ? url.pathname + url.search : otherwise
}
