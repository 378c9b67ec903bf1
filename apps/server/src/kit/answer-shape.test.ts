import { expect, test } from 'vitest'
import { z } from 'zod'
import { accountSchema } from '@weft/contract/accounts/schema'
import { answerReader } from './answer-shape.ts'

const inner = z.strictObject({ one: z.number().nullable(), two: z.string().optional() })
const schema = z.object({
  id: z.uuid(),
  name: z.string().trim().min(2),
  kind: z.enum(['a', 'b']),
  size: z.int().optional(),
  inner,
  list: z.array(z.object({ at: z.iso.datetime().nullable() })),
  either: z.union([z.string(), z.array(z.number())]),
  withDefault: z.string().default('nothing'),
  words: z.record(z.string(), z.string()).optional(),
})
const ID = '01a2e0c0-0000-7000-8000-000000000001'
const good = {
  id: ID,
  name: 'some',
  kind: 'a',
  inner: { one: null },
  list: [{ at: null }, { at: '2026-01-01T00:00:00Z' }],
  either: [1, 2],
  withDefault: 'x',
}

test('what is as the schema has it goes through, what it does not name is left out, at any depth', () => {
  const read = answerReader(schema)
  expect(read(good)).toEqual(good)
  const { withDefault: _left, ...less } = good
  for (const value of [
    good,
    less,
    { ...good, password: 'hush' },
    { ...good, list: [{ at: null, password: 'hush' }] },
    { ...good, name: '  some ' },
    { ...good, words: { a: 'b' }, size: 3 },
    { ...good, size: undefined },
  ])
    expect(read(value)).toEqual(schema.parse(value))
  const given = { ...good, list: [{ at: null, password: 'hush' }] }
  read(given)
  expect(given.list).toEqual([{ at: null, password: 'hush' }])
})

test('what is of another kind is refused as by the schema', () => {
  const read = answerReader(schema)
  const made = new (class {
    toJSON() {
      return 'hush'
    }
  })()
  for (const value of [
    null,
    [],
    { ...good, kind: 'c' },
    { ...good, size: Number.NaN },
    { ...good, id: null },
    { ...good, inner: { one: null, more: 'hush' } },
    { ...good, inner: made },
    { ...good, either: { x: 1 } },
    { ...good, list: {} },
    { ...good, list: [undefined] },
    { ...good, words: { a: 1 } },
  ])
    expect(() => read(value)).toThrow(z.ZodError)
})

test('a schema that holds itself is read to its end', () => {
  const node: z.ZodType = z.lazy(() => z.object({ name: z.string(), parts: z.array(node) }))
  const tree = z.object({
    name: z.string(),
    get parts() {
      return z.array(tree)
    },
  })
  const value = { name: 'a', parts: [{ name: 'b', parts: [], more: 1 }] }
  const wanted = { name: 'a', parts: [{ name: 'b', parts: [] }] }
  expect(answerReader(tree)(value)).toEqual(wanted)
  expect(answerReader(node)(value)).toEqual(wanted)
})

test('a record of a list is not copied', () => {
  const row = Object.fromEntries(
    Object.entries(accountSchema.shape).map(([name, part]) => [
      name,
      part.safeParse(null).success ? null : name,
    ]),
  )
  const whole = {
    ...row,
    version: 1,
    can: ['update'],
    cannot: { delete: 'record.in_use' },
    type: 'x',
    allowedDomains: [],
    limits: { perDay: null, perHour: 2, cooldownMinutes: null, quietHours: null },
    tags: ['a'],
    status: 'new',
    password: { set: true },
    totpSeed: { set: false },
    recoveryCodes: { set: false },
  }
  expect(answerReader(accountSchema)(whole)).toBe(whole)
})
