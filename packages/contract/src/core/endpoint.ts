import type { z } from 'zod'
import type { BotAction } from './bot-actions.ts'
import type { Action, Subject } from './permissions.ts'
import type { ListResult } from './list.ts'

/**
 * Who may call: anybody; anybody signed in; who holds an ability; an agent with its session; the holder of the
 * refresh cookie together with the XSRF header.
 */
export type Access =
  | 'public'
  | 'signedIn'
  | 'agent'
  | 'refreshCookie'
  | { readonly action: Action; readonly subject: Subject }

/**
 * One call. Its input is one flat object: names that stand in the path (`{id}`) travel there, those of `inQuery` in the
 * query string, the rest in the query of a GET or in the JSON body of anything else.
 */
export interface EndpointSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly input?: z.ZodObject
  readonly inQuery?: readonly string[]
  /** Schema of the answer's `data`. */
  readonly data?: z.ZodType
  /** Schema of one row, for a list. */
  readonly list?: z.ZodType
  /** Content types of a streamed answer. */
  readonly stream?: readonly string[]
  /** The request's body is bytes of this length at most, handed to the handler unparsed. */
  readonly rawBody?: { readonly maxBytes: number }
  /** Bytes of JSON body allowed, when more than the common limit. */
  readonly maxBodyBytes?: number
  /** Label of the audit row; without one the call changes nothing that is audited. */
  readonly audit?: string
  /** Accepts an Idempotency-Key. True for every POST by users unless said otherwise. */
  readonly idempotent?: boolean
  /**
   * A call of whoever is signed in that an API token may make too. Other such calls are about the person and their way in,
   * which no program changes.
   */
  readonly byApiToken?: boolean
  /** Action label of the bot check. */
  readonly botAction?: BotAction
  /** A call by POST that changes nothing of anybody's, and so is let in where only reading is. */
  readonly readsOnly?: boolean
  /** Comes many times a second by its nature: not counted with a person's other calls. */
  readonly ownPace?: boolean
  /** Answers also while the system is in maintenance. */
  readonly duringMaintenance?: boolean
}

export type Endpoint<S extends EndpointSpec = EndpointSpec, N extends string = string> = S & {
  readonly name: N
}
export type Api = Readonly<Record<string, Endpoint>>

/** Names a feature's calls: `campaigns` + `pause` is `campaigns.pause`, also the first part of its query key. */
export function defineApi<const F extends string, const T extends Readonly<Record<string, EndpointSpec>>>(
  feature: F,
  specs: T,
): { readonly [K in keyof T & string]: Endpoint<T[K], `${F}.${K}`> } {
  const named = Object.entries(specs).map(([key, spec]) => [key, { ...spec, name: `${feature}.${key}` }])
  return Object.fromEntries(named) as { readonly [K in keyof T & string]: Endpoint<T[K], `${F}.${K}`> }
}

/** What a caller passes. */
export type InputOf<E extends EndpointSpec> = E['input'] extends z.ZodType
  ? z.input<E['input']>
  : Record<string, never>
/** What a handler receives, after parsing. */
export type ParsedInputOf<E extends EndpointSpec> = E['input'] extends z.ZodType
  ? z.output<E['input']>
  : Record<string, never>
/** What a caller gets back. */
export type OutputOf<E extends EndpointSpec> = E['list'] extends z.ZodType
  ? ListResult<z.output<E['list']>>
  : E['data'] extends z.ZodType
    ? z.output<E['data']>
    : E['stream'] extends readonly string[]
      ? Response
      : null

/** The names in a path's braces. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}
