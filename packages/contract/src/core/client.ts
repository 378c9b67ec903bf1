import { codeWithoutBody } from './away.ts'
import type { Api, Endpoint, InputOf, OutputOf } from './endpoint.ts'
import { pathNames } from './endpoint.ts'
import { errorBodySchema, type ErrorBody } from './errors.ts'

/** A call that did not succeed: the server's error body, or one made here for a lost network or a time-out. */
export class CallError extends Error {
  readonly httpStatus: number
  readonly body: ErrorBody
  readonly retryAfterSeconds: number | undefined

  constructor(httpStatus: number, body: ErrorBody, retryAfterSeconds?: number) {
    super(body.message)
    this.name = 'CallError'
    this.httpStatus = httpStatus
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
  }

  get code(): string {
    return this.body.code
  }
}

export interface CallOptions {
  signal?: AbortSignal
  idempotencyKey?: string
  /** 0 waits for ever; ordinary calls stop after 30 s. */
  timeoutMs?: number
  headers?: Record<string, string>
  /** Bytes, for a call with `rawBody`. */
  body?: BodyInit
}

export interface Transport {
  baseUrl: string
  /** Headers of each call, such as the Bearer token. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>
  fetch?: typeof fetch
  /** May mend a failed call (a silent refresh, say) and ask for one more try. */
  onError?: (error: CallError, endpoint: Endpoint) => Promise<'retry' | 'throw'>
  /** Sees each success body, for toasts. */
  onSuccess?: (body: { message?: string }, endpoint: Endpoint) => void
}

/** Calls one endpoint and gives its data, its list, or, for a stream, the response itself. Throws `CallError`. */
export async function call<E extends Endpoint>(
  transport: Transport,
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E>> {
  try {
    return await attempt(transport, endpoint, input, options)
  } catch (error) {
    if (
      error instanceof CallError &&
      transport.onError &&
      (await transport.onError(error, endpoint)) === 'retry'
    )
      return attempt(transport, endpoint, input, options)
    throw error
  }
}

/** The address of a call with its path and query filled in, and what is left for the body. */
export function locate(endpoint: Endpoint, input: Readonly<Record<string, unknown>>) {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  let path = endpoint.path
  for (const name of pathNames(endpoint.path)) {
    path = path.replace(`{${name}}`, encodeURIComponent(queryText(rest.get(name))))
    rest.delete(name)
  }
  const query = new URLSearchParams()
  const inQuery = endpoint.method === 'GET' || endpoint.rawBody ? [...rest.keys()] : (endpoint.inQuery ?? [])
  for (const name of inQuery) {
    const value = rest.get(name)
    if (value !== undefined && value !== null) query.set(name, queryText(value))
    rest.delete(name)
  }
  const search = query.toString()
  return { url: search ? `${path}?${search}` : path, body: Object.fromEntries(rest) }
}

function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.map(queryText).join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function attempt<E extends Endpoint>(
  transport: Transport,
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions,
): Promise<OutputOf<E>> {
  const { url, body } = locate(endpoint, input)
  const sendsJson = endpoint.method !== 'GET' && !endpoint.rawBody
  const timeoutMs = options.timeoutMs ?? (endpoint.stream || endpoint.rawBody ? 0 : 30_000)
  const signals = [options.signal, timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined].filter(
    (signal) => signal !== undefined,
  )
  let response: Response
  try {
    response = await (transport.fetch ?? fetch)(transport.baseUrl + url, {
      method: endpoint.method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(sendsJson ? { 'content-type': 'application/json' } : {}),
        ...(endpoint.rawBody ? { 'content-type': 'application/octet-stream' } : {}),
        ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
        ...(await transport.headers?.()),
        ...options.headers,
      },
      ...(sendsJson ? { body: JSON.stringify(body) } : {}),
      ...(options.body === undefined ? {} : { body: options.body }),
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    const timedOut = error instanceof Error && error.name === 'TimeoutError'
    throw new CallError(timedOut ? 504 : 0, {
      status: 'Error',
      code: timedOut ? 'request.timeout' : 'network.unreachable',
      message: timedOut ? 'The server did not answer in time.' : 'The server cannot be reached.',
    })
  }
  if (!response.ok) throw await failure(response)
  if (endpoint.stream) return response as OutputOf<E>
  const answer: {
    status?: unknown
    data: unknown
    message?: string
    totalPage?: number
    totalRecord?: number
    totalEstimated?: boolean
  } = await response.json().catch((error: unknown) => {
    if (options.signal?.aborted) throw error
    return {}
  })
  if (!isSuccess(answer.status)) throw failureOf(response, answer)
  transport.onSuccess?.(answer, endpoint)
  if (endpoint.list)
    return {
      data: answer.data,
      totalPage: answer.totalPage,
      totalRecord: answer.totalRecord,
      totalEstimated: answer.totalEstimated,
    } as OutputOf<E>
  return answer.data as OutputOf<E>
}

/** Whether an answer's status says success, in whatever case it is written. */
export function isSuccess(status: unknown): boolean {
  return typeof status === 'string' && status.toLowerCase() === 'success'
}

async function failure(response: Response): Promise<CallError> {
  return failureOf(response, await response.json().catch(() => null))
}

/** An answer that says it is none is a failure whatever its HTTP status. */
function failureOf(response: Response, body: unknown): CallError {
  const parsed = errorBodySchema.safeParse(body)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new CallError(
    response.ok ? 500 : response.status,
    parsed.success ? parsed.data : unreadable(response.status),
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  )
}

function unreadable(status: number): ErrorBody {
  return { status: 'Error', code: codeWithoutBody(status), message: `The server answered ${status}.` }
}

export type ClientOf<A extends Api> = {
  readonly [K in keyof A]: (input: InputOf<A[K]>, options?: CallOptions) => Promise<OutputOf<A[K]>>
}

/** A typed function per call of an api. */
export function clientOf<A extends Api>(transport: Transport, api: A): ClientOf<A> {
  const entries = Object.entries(api).map(([key, endpoint]) => [
    key,
    (input: InputOf<typeof endpoint>, options?: CallOptions) => call(transport, endpoint, input, options),
  ])
  return Object.fromEntries(entries) as ClientOf<A>
}
