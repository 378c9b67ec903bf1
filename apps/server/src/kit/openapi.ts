import { z } from 'zod'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { pathNames } from '@weft/contract/core/endpoint'
import { errorBodySchema } from '@weft/contract/core/errors'
import { listBody } from '@weft/contract/core/list'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 description of the mounted calls, made from their contract. */
export function openApi(endpoints: readonly Endpoint[], info: { version: string; url: string }): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'WEFT', version: info.version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: info.url }],
    paths,
    components: {
      schemas: { Error: schema(errorBodySchema, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The access token of a session' },
        agent: { type: 'http', scheme: 'bearer', description: 'The token of an agent session' },
        refresh: { type: 'apiKey', in: 'cookie', name: 'rt', description: 'With the X-XSRF-TOKEN header' },
      },
    },
  }
}

function operation(endpoint: Endpoint): Json {
  const input = endpoint.input ? schema(endpoint.input, 'input') : { type: 'object', properties: {} }
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
    ...requestBody(
      endpoint,
      readsBody,
      pick(properties, inBody),
      [...required].filter((name) => inBody.includes(name)),
      input['$defs'],
    ),
    responses: { 200: success(endpoint), default: FAILURE },
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 200 },
}

const FAILURE = {
  description: 'The call failed',
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

function requestBody(
  endpoint: Endpoint,
  readsBody: boolean,
  properties: Json,
  required: string[],
  defs: unknown,
): Json {
  if (endpoint.rawBody)
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } } }
  if (!readsBody || Object.keys(properties).length === 0) return {}
  const body = {
    type: 'object',
    properties,
    required,
    additionalProperties: false,
    ...(defs ? { $defs: defs } : {}),
  }
  return { requestBody: { required: true, content: { 'application/json': { schema: body } } } }
}

function success(endpoint: Endpoint): Json {
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
  return { description: 'Done', content: { 'application/json': { schema: schema(body, 'output') } } }
}

function schema(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(type, { io, unrepresentable: 'any', reused: 'inline' })
  return json
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function pick(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}
