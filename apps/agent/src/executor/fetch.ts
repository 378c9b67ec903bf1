import {
  Agent as HttpAgent,
  request as requestHttp,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { StepError } from '@weft/workflow/errors'
import { GATE_HEADER } from './browser/gate.ts'
import { DomainRefused, type DomainLimits } from './browser/domains.ts'

const MAX_REDIRECTS = 5
/** Headers that belong to one origin and do not follow a redirect to another. */
const OWN_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization'])

export interface FetchOptions {
  url: string
  method: string
  headers: Record<string, string>
  body: Uint8Array | null
  /** The gate's address: there is no other way out. */
  gateUrl: string
  limits: DomainLimits
  signal: AbortSignal
}

export interface Fetched {
  status: number
  headers: Record<string, string>
  url: string
  /** Unpacked; whoever reads it counts the bytes. */
  body: Readable
}

/** Calls an address through the gate and follows redirects, each held to the same limits. */
export async function fetchThroughGate(options: FetchOptions): Promise<Fetched> {
  const { gateUrl, limits, signal } = options
  let { method, body } = options
  let headers = lowerCased(options.headers)
  let url = webAddress(options.url)
  const proxyEnv = { HTTP_PROXY: gateUrl, HTTPS_PROXY: gateUrl }
  const agents = { 'http:': new HttpAgent({ proxyEnv }), 'https:': new HttpsAgent({ proxyEnv }) }
  for (let redirects = 0; ; redirects += 1) {
    limits.check(url)
    const secure = url.protocol === 'https:'
    const response = await send(
      secure ? requestHttps : requestHttp,
      url,
      {
        method,
        headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
        signal,
        agent: secure ? agents['https:'] : agents['http:'],
      },
      body,
    )
    if (response.headers[GATE_HEADER] === 'domain') throw new DomainRefused(url.host)
    if (response.headers[GATE_HEADER] !== undefined)
      throw new StepError('HttpError', `${url.host} could not be reached.`, { params: { host: url.host } })
    const status = response.statusCode ?? 0
    const { location } = response.headers
    if (location === undefined || ![301, 302, 303, 307, 308].includes(status))
      return { status, headers: flat(response), url: url.href, body: unpacked(response) }
    response.resume()
    if (redirects >= MAX_REDIRECTS) throw new StepError('HttpError', `${options.url} redirects too often.`)
    const target = webAddress(new URL(location, url).href)
    if (target.origin !== url.origin)
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)))
    if (status === 303 || (status <= 302 && method === 'POST')) {
      method = 'GET'
      body = null
      delete headers['content-type']
      delete headers['content-length']
    }
    url = target
  }
}

/** Reads a whole body of at most so many bytes. */
export async function readAll(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes)
      throw new StepError('TooLarge', `The answer has more than ${maxBytes} bytes.`, {
        params: { max: maxBytes },
      })
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** An address of the web, or a failure that says that it is none. */
export function webAddress(text: string): URL {
  const url = URL.parse(text)
  if (
    !url ||
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    url.username !== '' ||
    url.password !== ''
  )
    throw new StepError('InputInvalid', `"${text.slice(0, 200)}" is not an address that can be opened.`)
  return url
}

async function send(
  request: typeof requestHttp,
  url: URL,
  options: RequestOptions,
  body: Uint8Array | null,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, resolve)
    outgoing.on('error', (cause) => {
      const proxyStatus = 'statusCode' in cause ? cause.statusCode : undefined
      if (proxyStatus === 403) reject(new DomainRefused(url.host))
      else reject(new StepError('HttpError', `${url.host} could not be reached: ${cause.message}`, { cause }))
    })
    outgoing.end(body ?? undefined)
  })
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.toLowerCase()
  const unpack =
    encoding === 'gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : encoding === 'deflate'
          ? createInflate()
          : undefined
  return unpack ? pipeline(response, unpack, () => undefined) : response
}

function flat(response: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
