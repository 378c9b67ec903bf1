import { z } from 'zod'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { pathNames } from '@weft/contract/core/endpoint'
import { errorBodySchema } from '@weft/contract/core/errors'
import { listBody } from '@weft/contract/core/list'
import { failuresOf } from './openapi-errors.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 description of the mounted calls, made from their contract. */
export function openApi(endpoints: readonly Endpoint[], info: { version: string; url: string }): Json {
  const shared = new Shared()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(endpoint, shared)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'WEFT', version: info.version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: info.url }],
    paths,
    components: {
      schemas: { Error: shared.schema(errorBodySchema, 'output', 'Error'), ...shared.parts },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The access token of a session' },
        agent: { type: 'http', scheme: 'bearer', description: 'The token of an agent session' },
        refresh: { type: 'apiKey', in: 'cookie', name: 'rt', description: 'With the X-XSRF-TOKEN header' },
      },
    },
  }
}

function operation(endpoint: Endpoint, shared: Shared): Json {
  const input = endpoint.input
    ? shared.schema(endpoint.input, 'input', endpoint.name)
    : { type: 'object', properties: {} }
  const properties = asObject(input['properties'])
  const required = new Set(Array.isArray(input['required']) ? input['required'].map(String) : [])
  const inPath = pathNames(endpoint.path)
  const readsBody = endpoint.method !== 'GET' && !endpoint.rawBody
  const inQuery = Object.keys(properties).filter(
    (name) => !inPath.includes(name) && (!readsBody || endpoint.inQuery?.includes(name)),
  )
  const inBody = Object.keys(properties).filter((name) => !inPath.includes(name) && !inQuery.includes(name))
  const parameter = (name: string, where: 'path' | 'query') => ({
    name,
    in: where,
    required: where === 'path' || required.has(name),
    schema: properties[name] ?? { type: 'string' },
  })
  const [feature = ''] = endpoint.name.split('.')
  return {
    operationId: endpoint.name,
    tags: [feature],
    summary: endpoint.summary,
    ...access(endpoint),
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...inQuery.map((name) => parameter(name, 'query')),
      ...(takesKey(endpoint) ? [IDEMPOTENCY_KEY] : []),
    ],
    ...requestBody(endpoint, readsBody && inBody.length > 0, {
      type: 'object',
      properties: pick(properties, inBody),
      required: [...required].filter((name) => inBody.includes(name)),
      additionalProperties: false,
    }),
    responses: { 200: success(endpoint, shared), ...failuresOf(endpoint), default: FAILURE },
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 200 },
}

const FAILURE = {
  description: 'The call failed in a way that a later version may add',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

function takesKey(endpoint: Endpoint): boolean {
  const byUser = endpoint.access === 'signedIn' || typeof endpoint.access === 'object'
  return byUser && endpoint.method === 'POST' && endpoint.idempotent !== false
}

function access(endpoint: Endpoint): Json {
  const { access: who } = endpoint
  if (who === 'public') return { security: [] }
  if (who === 'agent') return { security: [{ agent: [] }] }
  if (who === 'refreshCookie') return { security: [{ refresh: [] }] }
  if (who === 'signedIn') return { security: [{ bearer: [] }] }
  return { security: [{ bearer: [] }], 'x-ability': { action: who.action, subject: who.subject } }
}

function requestBody(endpoint: Endpoint, hasBody: boolean, body: Json): Json {
  if (endpoint.rawBody)
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } } }
  return hasBody ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}
}

function success(endpoint: Endpoint, shared: Shared): Json {
  if (endpoint.stream) {
    const content = Object.fromEntries(endpoint.stream.map((type) => [type, { schema: {} }]))
    return { description: 'A stream', content }
  }
  const body = endpoint.list
    ? listBody(endpoint.list)
    : z.object({
        status: z.literal('Success'),
        data: endpoint.data ?? z.null(),
        message: z.string().optional(),
      })
  return {
    description: 'Done',
    content: { 'application/json': { schema: shared.schema(body, 'output', endpoint.name) } },
  }
}

/** Schemas as JSON, with the parts that refer to themselves put where the whole document can refer to them. */
class Shared {
  readonly parts: Json = {}

  schema(type: z.ZodType, io: 'input' | 'output', owner: string): Json {
    const {
      $schema: _,
      $defs,
      ...json
    } = z.toJSONSchema(type, { io, unrepresentable: 'any', reused: 'inline' })
    const nameOf = (part: string) => `${owner}.${part.replace(/^_+/, '')}`
    const rename = (value: unknown): unknown => renameRefs(value, nameOf)
    for (const [part, definition] of Object.entries($defs ?? {}))
      this.parts[nameOf(part)] = rename(definition)
    return asObject(rename(json))
  }
}

function renameRefs(value: unknown, nameOf: (part: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameRefs(item, nameOf))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      // That a whole number is one that JSON can carry goes without saying.
      .filter(([, item]) => item !== Number.MAX_SAFE_INTEGER && item !== Number.MIN_SAFE_INTEGER)
      .map(([key, item]) =>
        key === '$ref' && typeof item === 'string'
          ? [
              key,
              item.replace(/^#\/\$defs\/(.+)$/, (_, part: string) => `#/components/schemas/${nameOf(part)}`),
            ]
          : [key, renameRefs(item, nameOf)],
      ),
  )
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function pick(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}
