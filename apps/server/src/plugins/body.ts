import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../kit/app-error.ts'

const MAX_DEPTH = 32
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** Reads bodies strictly: exactly `application/json`, or bytes for the calls that take bytes; nothing else. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.rawBody) return done(unsupported('application/octet-stream'))
    if (!isPlainUtf8(request.headers)) return done(unsupported('application/json'))
    try {
      return done(null, parseJson(decode(body)))
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)))
    }
  })
  app.addContentTypeParser('application/octet-stream', (request, payload, done) =>
    request.routeOptions.config.rawBody ? done(null, payload) : done(unsupported('application/json')),
  )
}

const unsupported = (expected: string) => new AppError('request.unsupported_type', { expected })

/** Whether the headers speak of UTF-8 that is not packed. */
function isPlainUtf8(headers: IncomingHttpHeaders): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]
  const packed = headers['content-encoding'] ?? 'identity'
  return (charset === undefined || /^utf-?8$/i.test(charset)) && packed.toLowerCase() === 'identity'
}

/** Bytes as text; what is not UTF-8 is refused rather than guessed at. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new AppError('request.malformed', {}, { cause: error })
  }
}

/** JSON without what could harm: too deep a nesting, or keys that reach an object's prototype. */
export function parseJson(text: string): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError('request.malformed', {}, { cause: error })
  }
  checkShape(value)
  return value
}

function checkShape(root: unknown): void {
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }]
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const { value, depth } = at
    if (typeof value !== 'object' || value === null) continue
    if (depth > MAX_DEPTH) throw new AppError('request.malformed')
    for (const [key, item] of Object.entries(value)) {
      if (!Array.isArray(value) && FORBIDDEN.has(key)) throw new AppError('request.malformed')
      if (typeof item === 'object') waiting.push({ value: item, depth: depth + 1 })
    }
  }
}
