import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Api, Endpoint, ParsedInputOf } from '@weft/contract/core/endpoint'
import type { ListAnswer, StreamAnswer, WithMessage } from './answers.ts'
import { INCOMING, NO_BODY, receive, type HeldBody } from './body.ts'
import type { AgentContext, Before, CallContext, PublicContext, Work } from './context.ts'
import { admit, type Caller } from './admit.ts'
import type { Deps } from './deps.ts'
import { describe, send, type Payload } from './envelope.ts'
import { exchangeOf } from './exchange.ts'
import { Gatherer } from './gather.ts'
import { earlierAnswer, idempotencyKey, keepAnswer, type Repeatable } from './idempotency.ts'
import { parseInput } from './parse.ts'
import { holdForDatabase, systemActor, transact, type Actor } from './work.ts'

/** The context that a call's handler receives, by who may call it. */
export type ContextOf<E extends Endpoint> = E['access'] extends 'public' | 'refreshCookie'
  ? PublicContext
  : E['access'] extends 'agent'
    ? AgentContext
    : CallContext

type Maybe<T> = T | WithMessage<T>

/** What a call's handler gives back, by what the contract says of its answer. */
export type AnswerOf<E extends Endpoint> = E['list'] extends z.ZodType
  ? ListAnswer<z.input<E['list']>>
  : E['stream'] extends readonly string[]
    ? StreamAnswer
    : E['data'] extends z.ZodType
      ? Maybe<z.input<E['data']>>
      : void | WithMessage<null>

type Handle<E extends Endpoint> = (ctx: ContextOf<E>, input: ParsedInputOf<E>) => Promise<AnswerOf<E>>

/** A call that does slow or outside work first; made by `prepared`. */
export interface TwoPartHandler<E extends Endpoint> {
  before: (ctx: Before<ContextOf<E>>, input: ParsedInputOf<E>) => Promise<unknown>
  handle: (ctx: ContextOf<E>, input: ParsedInputOf<E>, ready: unknown) => Promise<AnswerOf<E>>
}

/** One of several calls that are answered in the same transaction. */
export interface GatheredCall<E extends Endpoint> {
  ctx: Omit<ContextOf<E>, keyof Work>
  input: ParsedInputOf<E>
}

/** A call that many make at once; made by `together`. */
export interface GatheredHandler<E extends Endpoint> {
  gathered: (work: Work, calls: readonly GatheredCall<E>[]) => Promise<AnswerOf<E>[]>
}

/** How a call is answered. */
export type Handler<E extends Endpoint> = Handle<E> | TwoPartHandler<E> | GatheredHandler<E>

/** One handler for each call of an api. */
export type Implementation<A extends Api> = { readonly [K in keyof A]: Handler<A[K]> }

/** A handler in two parts: `before` runs without a transaction, and what it gives goes to `handle`, which has one. */
export function prepared<E extends Endpoint, P>(
  _endpoint: E,
  before: (ctx: Before<ContextOf<E>>, input: ParsedInputOf<E>) => Promise<P>,
  handle: (ctx: ContextOf<E>, input: ParsedInputOf<E>, ready: P) => Promise<AnswerOf<E>>,
): TwoPartHandler<E> {
  return { before, handle: (ctx, input, ready) => handle(ctx, input, ready as P) }
}

/**
 * A handler of many calls at once, in one transaction for all of them; it gives their answers in their order. For calls
 * that come in crowds and change nothing but the database; they are neither audited nor repeatable by key.
 */
export function together<E extends Endpoint>(
  _endpoint: E,
  gathered: GatheredHandler<E>['gathered'],
): GatheredHandler<E> {
  return { gathered }
}

type AnyHandler = {
  before?: (ctx: object, input: object) => Promise<unknown>
  handle: (ctx: object, input: object, ready: unknown) => Promise<unknown>
}
type AnyGathered = { gathered: (work: Work, calls: readonly object[]) => Promise<unknown[]> }
type Answering = (call: Call) => Promise<Payload>

/**
 * Mounts the calls of one feature. For each request: who calls and whether they may, the input, then the handler, in a
 * transaction unless it only reads; its audit and event rows and a kept answer are committed with it.
 */
export function implement<A extends Api>(app: FastifyInstance, api: A, handlers: Implementation<A>): void {
  for (const [key, endpoint] of Object.entries(api)) {
    const handler: unknown = handlers[key]
    if (!handler) throw new Error(`${endpoint.name} has no handler`)
    const known = (typeof handler === 'function' ? { handle: handler } : handler) as AnyHandler | AnyGathered
    mount(app, endpoint, 'gathered' in known ? gathering(app.deps, endpoint, known) : alone(endpoint, known))
  }
}

function alone(endpoint: Endpoint, handler: AnyHandler): Answering {
  return endpoint.method === 'GET' ? (call) => read(call, handler) : (call) => change(call, handler)
}

function gathering(deps: Deps, endpoint: Endpoint, handler: AnyGathered): Answering {
  if (endpoint.audit) throw new Error(`${endpoint.name} is audited, so it cannot share a transaction`)
  const actor = systemActor(endpoint.name)
  const gatherer = new Gatherer<object, { given: unknown }>(async (calls) => {
    const answers = await transact(deps, actor, (work) => handler.gathered(work, calls))
    return answers.map((given) => ({ given }))
  })
  return async (call) => {
    const { given } = await gatherer.ask({ ctx: contextWithoutWork(call), input: call.input })
    return describe(endpoint, given)
  }
}

const JSON_BYTES = 1024 * 1024

function mount(app: FastifyInstance, endpoint: Endpoint, answering: Answering): void {
  // Who may call is never left out by mistake.
  if (!endpoint.access) throw new Error(`${endpoint.name} does not say who may call it`)
  if (endpoint.botAction && !endpoint.input?.shape['botToken'])
    throw new Error(`${endpoint.name} is checked for bots and takes no botToken`)
  app.endpoints.push(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: endpoint.rawBody?.maxBytes ?? endpoint.maxBodyBytes ?? JSON_BYTES,
    config: { rawBody: endpoint.rawBody !== undefined, endpoint: endpoint.name },
    handler: (request, reply) => answer(app.deps, endpoint, answering, request, reply),
  })
}

async function answer(
  deps: Deps,
  endpoint: Endpoint,
  answering: Answering,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await holdForDatabase(deps, () => admit(deps, endpoint, request))
  const body = await bodyOf(deps, endpoint, request)
  try {
    const input = parseInput(endpoint, {
      params: request.params as Record<string, unknown>,
      query: request.query as Record<string, unknown>,
      body: endpoint.rawBody ? undefined : request.body,
    })
    await checkForBots(deps, endpoint, caller, input, request.ip)
    return await send(reply, await answering({ deps, endpoint, caller, input, body, request, reply }))
  } finally {
    await body.discard()
  }
}

/** Has the caller vouched for, where the call asks for it. A program with an API token is one by right. */
async function checkForBots(
  deps: Deps,
  { botAction: action }: Endpoint,
  caller: Caller,
  { botToken }: Record<string, unknown>,
  address: string,
): Promise<void> {
  if (!action || (caller.kind === 'user' && caller.tokenName !== undefined)) return
  await deps.botCheck.pass({ action, token: typeof botToken === 'string' ? botToken : undefined, address })
}

function bodyOf(deps: Deps, endpoint: Endpoint, request: FastifyRequest): Promise<HeldBody> | HeldBody {
  if (!endpoint.rawBody || !request.body) return NO_BODY
  return receive(request.raw, {
    maxBytes: endpoint.rawBody.maxBytes,
    folder: join(deps.settings.dataDir, INCOMING),
  })
}

interface Call {
  deps: Deps
  endpoint: Endpoint
  caller: Caller
  input: Record<string, unknown>
  body: HeldBody
  request: FastifyRequest
  reply: FastifyReply
}

/** A call that only reads runs on the pool, or in a transaction where reading itself is audited. */
function read(call: Call, handler: AnyHandler): Promise<Payload> {
  const { deps, endpoint, input } = call
  return holdForDatabase(deps, async () => {
    const base = contextWithoutWork(call)
    const ready = await handler.before?.({ ...base, db: deps.db }, input)
    if (endpoint.audit)
      return transact(deps, actorOf(call), (work) => handleAudited(call, handler, base, work, ready))
    return describe(endpoint, await handler.handle({ ...base, ...readOnlyWork(deps) }, input, ready))
  })
}

async function change(call: Call, handler: AnyHandler): Promise<Payload> {
  const { deps, input, body } = call
  const repeatable = repeatableOf(call)
  const base = contextWithoutWork(call)
  const ready = await handler.before?.({ ...base, db: deps.db }, input)
  return transact(
    deps,
    actorOf(call),
    async (work) => {
      const earlier = repeatable ? await earlierAnswer(work.tx, repeatable) : undefined
      if (earlier !== undefined) return { kind: 'json', body: earlier, replayed: true }
      const payload = await handleAudited(call, handler, base, work, ready)
      if (repeatable && payload.kind === 'json') await keepAnswer(work.tx, repeatable, payload.body)
      return payload
    },
    // Bytes that were moved to their place cannot be received a second time.
    { once: body !== NO_BODY },
  )
}

/** Runs the handler; a call that says it is audited leaves a row even when its handler wrote none. */
async function handleAudited(
  { endpoint, input }: Call,
  handler: AnyHandler,
  base: object,
  work: Work,
  ready: unknown,
): Promise<Payload> {
  let written = false
  const audit: Work['audit'] = (entry) => {
    written = true
    work.audit(entry)
  }
  const payload = describe(endpoint, await handler.handle({ ...base, ...work, audit }, input, ready))
  if (endpoint.audit && !written) {
    const recordId = typeof input['id'] === 'string' ? input['id'] : null
    work.audit({ feature: endpoint.name.slice(0, endpoint.name.indexOf('.')), recordId, after: input })
  }
  return payload
}

function repeatableOf({ endpoint, caller, request, input }: Call): Repeatable | undefined {
  if (endpoint.method !== 'POST' || endpoint.idempotent === false || caller.kind !== 'user') return undefined
  const key = idempotencyKey(request.headers['idempotency-key']?.toString())
  return key === undefined ? undefined : { userId: caller.user.id, endpoint: endpoint.name, key, input }
}

function actorOf({ caller, endpoint, request }: Call): Actor {
  return { ...actorName(caller), address: request.ip, requestId: request.id, label: endpoint.audit }
}

function actorName(caller: Caller): { id: string | null; name: string } {
  if (caller.kind === 'agent') return { id: null, name: `client ${caller.agent.clientKey}` }
  if (caller.kind === 'visitor')
    return { id: caller.visitor?.id ?? null, name: caller.visitor?.username ?? '' }
  const { user, tokenName, viewer } = caller
  if (viewer) return { id: viewer.id, name: `${viewer.username} (as ${user.username})` }
  return { id: user.id, name: tokenName === undefined ? user.username : `${user.username} (${tokenName})` }
}

function contextWithoutWork({ caller, request, reply, body }: Call): object {
  return {
    requestId: request.id,
    address: request.ip,
    signal: request.callerGone,
    http: exchangeOf(request, reply),
    body,
    ...caller.context,
  }
}

function readOnlyWork(deps: Deps): Work {
  const refuse = () => {
    throw new Error('a reading call tried to change something')
  }
  return { tx: deps.db, audit: refuse, event: refuse, afterCommit: refuse, enqueue: refuse }
}
