import { expect, test } from 'vitest'
import { z } from 'zod'
import { changedFields, getAt, setAt, without } from './paths.ts'
import { notChanged } from './refused.ts'
import { defaultsOf, fieldInfo, validate } from './schema-info.ts'
import { formStore } from './store.ts'

const schema = z.strictObject({
  name: z.string().trim().min(1).max(120),
  kind: z.enum(['a', 'b']).default('a'),
  email: z.email().max(254).nullable().default(null),
  notes: z.string().max(10).default(''),
  limits: z
    .strictObject({ perDay: z.int().min(1).max(9).nullable().default(null) })
    .default({ perDay: null }),
  urls: z.array(z.url()).max(3).default([]),
})

test('values are read and set at dotted paths without touching the original', () => {
  const values = { limits: { perDay: 1 }, rows: [{ name: 'x' }] }
  expect(getAt(values, 'limits.perDay')).toBe(1)
  expect(getAt(values, 'rows.0.name')).toBe('x')
  expect(getAt(values, 'nothing.here')).toBeUndefined()
  expect(setAt(values, 'rows.0.name', 'y')).toEqual({ limits: { perDay: 1 }, rows: [{ name: 'y' }] })
  expect(values.rows[0]?.name).toBe('x')
})

test('only what changed is sent', () => {
  expect(changedFields({ a: 1, b: [1, { c: 2 }] }, { a: 1, b: [1, { c: 2 }] })).toEqual({})
  expect(changedFields({ a: 1, b: [2] }, { a: 1, b: [1] })).toEqual({ b: [2] })
})

test('a draft has no secrets', () => {
  expect(without({ name: 'x', password: 'p' }, new Set(['password']))).toEqual({
    name: 'x',
    password: undefined,
  })
})

test('a schema tells what is required, how long, which options and limits', () => {
  expect(fieldInfo(schema, 'name')).toMatchObject({ required: true })
  expect(fieldInfo(schema, 'kind')).toMatchObject({ required: false, options: ['a', 'b'] })
  expect(fieldInfo(schema, 'email')).toMatchObject({ required: false, nullable: true })
  expect(fieldInfo(schema, 'limits.perDay')).toMatchObject({ nullable: true, min: 1, max: 9, integer: true })
  expect(fieldInfo(schema, 'unknown')).toEqual({ required: false, nullable: false })
})

test('of a group that may be left out, nothing has to be given', () => {
  const group = z.strictObject({ owner: z.string().min(1) })
  const grouped = z.strictObject({ ownership: group.nullable().default(null), place: group })
  expect(fieldInfo(grouped, 'ownership.owner')).toMatchObject({ required: false })
  expect(fieldInfo(grouped, 'place.owner')).toMatchObject({ required: true })
})

test('a new form begins with the defaults', () => {
  expect(defaultsOf(schema)).toEqual({
    kind: 'a',
    email: null,
    notes: '',
    limits: { perDay: null },
    urls: [],
  })
})

test('wrong fields are named with the codes of the server', () => {
  const errors = validate(schema, {
    name: '',
    kind: 'c',
    email: 'x',
    notes: 'x'.repeat(11),
    limits: { perDay: 0 },
  })
  expect(Object.fromEntries(errors.map(({ path, code }) => [path, code]))).toEqual({
    name: 'required',
    kind: 'option',
    email: 'email',
    notes: 'too_long',
    'limits.perDay': 'too_small',
  })
})

test('a field complains once it was left, all of them after a try', () => {
  const store = formStore({ feature: 'x', schema, initial: { name: 'a', ...defaultsOf(schema) } })
  store.set('name', '')
  expect(store.get().errors).toEqual([])
  store.leave('name')
  expect(store.errorAt('name')?.code).toBe('required')
  store.set('name', 'b')
  expect(store.errorAt('name')).toBeUndefined()
  store.set('email', 'x')
  expect(store.check()).toBe(false)
  expect(store.errorAt('email')?.code).toBe('email')
})

test('what the server said of a field stands until the field changes', () => {
  const store = formStore({ feature: 'x', schema, initial: { name: 'a' } })
  store.setErrors([
    { path: 'name', code: 'record.duplicate', message: 'taken' },
    { path: 'kind', code: 'invalid', message: 'no' },
  ])
  store.set('name', 'b')
  expect(store.get().errors.map(({ path }) => path)).toEqual(['kind'])
})

test('a form is dirty while it differs from where it began', () => {
  const store = formStore({ feature: 'x', schema, initial: { name: 'a' } })
  store.set('name', 'b')
  expect(store.isDirty()).toBe(true)
  store.set('name', 'a')
  expect(store.isDirty()).toBe(false)
})

test('a record that does not name changing among what may be done is only shown, with its reason', () => {
  expect(notChanged({ can: ['update'] })).toBeNull()
  expect(notChanged({})).toBeNull()
  expect(notChanged({ can: [] })).toEqual({ kind: 'update', code: 'access.denied' })
  expect(notChanged({ can: ['run'], cannot: { update: 'record.in_use' } })).toEqual({
    kind: 'update',
    code: 'record.in_use',
  })
})
