import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { TEST_PASSWORD } from './people.ts'

type Json = Record<string, unknown>

/** A value that a schema accepts: its required fields, with the plainest values they allow. Names differ each time. */
export function sampleOf(schema: z.ZodType): Record<string, unknown> {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const value = sample(json, json)
  return asObject(value)
}

function sample(schema: Json, root: Json): unknown {
  if (typeof schema['$ref'] === 'string') return sample(resolve(schema['$ref'], root), root)
  if ('const' in schema) return schema['const']
  if ('default' in schema) return schema['default']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const options = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(options)) return sample(asObject(options[0]), root)
  if (Array.isArray(schema['allOf'])) return sample(asObject(schema['allOf'][0]), root)
  switch (schema['type']) {
    case 'object':
      return sampleObject(schema, root)
    case 'array':
      return Array.from({ length: numberOf(schema['minItems'], 0) }, () =>
        sample(asObject(schema['items']), root),
      )
    case 'string':
      return sampleText(schema)
    case 'integer':
    case 'number':
      return Math.max(numberOf(schema['minimum'], 1), numberOf(schema['exclusiveMinimum'], -1) + 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return 'x'
  }
}

function sampleObject(schema: Json, root: Json): Json {
  const properties = asObject(schema['properties'])
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  return Object.fromEntries(
    required.map((name) => [
      name,
      /password/i.test(name) ? TEST_PASSWORD : sample(asObject(properties[name]), root),
    ]),
  )
}

function sampleText({ format, pattern, minLength }: Json): string {
  if (format === 'uuid') return randomUUID()
  if (format === 'email') return `${randomBytes(4).toString('hex')}@example.org`
  if (format === 'date-time') return '2030-01-01T00:00:00.000Z'
  if (format === 'uri') return 'https://example.org/'
  const patterned = typeof pattern === 'string' ? forPattern(new RegExp(pattern, 'u')) : undefined
  if (patterned !== undefined) return patterned
  return randomBytes(4).toString('hex').padEnd(numberOf(minLength, 0), 'x')
}

/** What patterns of the contract ask for. One that none of these fits needs a new line here. */
const PATTERNED = [
  'abc',
  'FR',
  'fr',
  '+33',
  '+33612345678',
  '12',
  'a'.repeat(64),
  '#0db976',
  '1.2.3',
  '10:00',
  'example.org',
]

function forPattern(pattern: RegExp): string | undefined {
  return PATTERNED.find((text) => pattern.test(text))
}

function resolve(reference: string, root: Json): Json {
  const [, kind = '', name = ''] = reference.split('/')
  return asObject(asObject(root[kind])[name])
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
