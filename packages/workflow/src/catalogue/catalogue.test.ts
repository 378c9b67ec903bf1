import { describe, expect, test } from 'vitest'
import { isJsonObject } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { activityTypes, definitionOf, outcomesOf, sideEffectOf } from './catalogue.ts'
import { EXAMPLES } from './examples.ts'
import { failuresOf } from './failures.ts'
import type { FieldDescriptor } from './field.ts'
import ar from './i18n/ar.json' with { type: 'json' }
import en from './i18n/en.json' with { type: 'json' }
import fr from './i18n/fr.json' with { type: 'json' }
import { catalogueTextKeys } from './text-keys.ts'

const definitions = activityTypes.flatMap((type) => definitionOf(type) ?? [])

/** A value that a form could store for a field. */
function sample(field: FieldDescriptor): JsonObject[string] {
  if (field.default !== undefined) return field.default
  switch (field.kind) {
    case 'select':
      return field.options?.[0]?.value ?? ''
    case 'number':
    case 'duration':
      return field.min ?? 0
    case 'boolean':
      return true
    case 'targets':
      return [{ by: 'role', role: 'button', name: '{{ inputs.name }}' }]
    case 'keyvalue':
      return [{ name: 'a', value: '{{ 1 }}' }]
    case 'workflow':
      return '0190aaaa-0000-7000-8000-000000000001'
    case 'list':
      return [Object.fromEntries((field.items ?? []).map((item) => [item.name, sample(item)]))]
    default:
      return field.name === 'key' ? 'key_1' : 'some text'
  }
}

const sampleState = (fields: FieldDescriptor[]): JsonObject =>
  Object.fromEntries(fields.map((field) => [field.name, sample(field)]))

describe('every activity', () => {
  test.each(definitions.map((definition) => [definition.type, definition] as const))(
    '%s: form and schema agree',
    (_, { fields, inputSchema }) => {
      expect(Object.keys(inputSchema.shape)).toEqual(fields.map(({ name }) => name))
      const state = sampleState(fields)
      expect(inputSchema.safeParse(state).error).toBeUndefined()
      expect(inputSchema.safeParse({ ...state, other: 1 }).success).toBe(false)
      for (const field of fields) {
        const without = { ...state }
        delete without[field.name]
        const optional = !field.required || field.when !== undefined
        expect([field.name, inputSchema.safeParse(without).success]).toEqual([field.name, optional])
        if (field.kind === 'select') {
          expect(inputSchema.safeParse({ ...state, [field.name]: 'nonsense' }).success).toBe(false)
          for (const { value } of field.options ?? []) {
            expect(inputSchema.safeParse({ ...state, [field.name]: value }).success).toBe(true)
          }
        }
        if (field.kind === 'number' && field.max !== undefined) {
          expect(inputSchema.safeParse({ ...state, [field.name]: field.max + 1 }).success).toBe(false)
        }
        if (field.when) {
          const other = fields.find(({ name }) => name === field.when?.field)
          expect(other?.kind).toBe('select')
          const values = other?.options?.map(({ value }) => value) ?? []
          expect(values).toEqual(expect.arrayContaining(field.when.is))
        }
      }
    },
  )

  test.each(definitions.map((definition) => [definition.type, definition] as const))(
    '%s: its defaults fit what the executor is given',
    (_, { fields, resolvedSchema }) => {
      for (const field of fields.filter((candidate) => candidate.default !== undefined)) {
        const schema = resolvedSchema.shape[field.name]
        expect(schema?.safeParse(undefined).success).toBe(true)
        expect(schema?.safeParse(field.default).success).toBe(true)
      }
    },
  )

  test('goes on by "done", but for finish', () => {
    const lastOnes = definitions.filter(
      (definition) => !definition.outcomes({}).some(({ name }) => name === 'done'),
    )
    expect(lastOnes.map(({ type }) => type)).toEqual(['finish'])
  })
})

describe('help', () => {
  test.each(definitions.map((definition) => [definition.type, definition] as const))(
    '%s: its example is one that could be stored, and it says how it may fail',
    (type, definition) => {
      const state = EXAMPLES[type as keyof typeof EXAMPLES]
      expect(definition.inputSchema.safeParse(state).error).toBeUndefined()
      const failures = failuresOf(definition)
      expect(failures.includes('BrowserCrashed')).toBe(definition.requires.browser)
      expect(failures.includes('ElementNotFound')).toBe(
        type === 'switch-tab' || definition.fields.some(({ kind }) => kind === 'targets'),
      )
    },
  )
})

describe('outcomes and effects', () => {
  test('follow the state', () => {
    const names = (type: string, state: JsonObject) => outcomesOf({ type, state }).map(({ name }) => name)
    expect(names('switch', { cases: [{ key: 'k1', equals: 'x' }, 'broken'] })).toEqual([
      'case:k1',
      'default',
      'done',
    ])
    expect(names('parallel', { branches: [{ key: 'a', name: 'Left' }] })).toEqual(['branch:a', 'done'])
    expect(names('unknown', {})).toEqual(['done'])
  })

  test('a step may say that it is irreversible; a request by method; an unknown type is the worst', () => {
    expect(sideEffectOf({ type: 'click', state: {} })).toBe('write')
    expect(sideEffectOf({ type: 'click', state: { sideEffect: 'irreversible' } })).toBe('irreversible')
    expect(sideEffectOf({ type: 'http-request', state: {} })).toBe('read')
    expect(sideEffectOf({ type: 'http-request', state: { method: 'POST' } })).toBe('write')
    expect(sideEffectOf({ type: 'unknown', state: {} })).toBe('irreversible')
  })
})

describe('texts', () => {
  const flatten = (node: unknown, prefix = ''): [string, unknown][] =>
    isJsonObject(node)
      ? Object.entries(node).flatMap(([key, value]) =>
          flatten(value, prefix === '' ? key : `${prefix}.${key}`),
        )
      : [[prefix, node]]

  test.each([
    ['English', en],
    ['French', fr],
    ['Arabic', ar],
  ])('%s has exactly the texts that are used', (_, texts) => {
    const entries = flatten(texts)
    expect(entries.map(([key]) => key).sort()).toEqual(catalogueTextKeys().sort())
    for (const [key, text] of entries)
      expect([key, typeof text === 'string' && text.trim() !== '']).toEqual([key, true])
  })

  test('code in Arabic is kept apart from the words around it, which would turn its signs about', () => {
    const bare = flatten(ar)
      .map(([key, text]) => [key, String(text).replaceAll(/\u2066[^\u2069]*\u2069|\{\{\w+\}\}/g, '')])
      .filter(([, text]) => /[<>{}=]/.test(text ?? ''))
    expect(bare).toEqual([])
  })

  test('placeholders are the same in every language', () => {
    const placeholders = (texts: unknown) =>
      flatten(texts).map(([key, text]) => [key, String(text).match(/\{\{[^}]*\}\}/g)])
    const used = placeholders(en).flatMap(([, found]) => found ?? [])
    expect([...new Set(used)]).toEqual(['{{name}}'])
    expect(placeholders(fr)).toEqual(placeholders(en))
    expect(placeholders(ar)).toEqual(placeholders(en))
  })
})
