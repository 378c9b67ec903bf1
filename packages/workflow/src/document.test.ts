import { describe, expect, test } from 'vitest'
import { DOCUMENT_LIMITS, emptyDocument, parseDocument } from './document.ts'
import type { Json } from './json.ts'
import { decodeDocument, decodeState, encodeDocument, encodeState, MAX_ENCODED_STATE } from './state-codec.ts'
import { sketch } from './testing/builder.ts'

const codesOf = (result: ReturnType<typeof parseDocument> | ReturnType<typeof decodeState>) =>
  result.ok ? [] : result.problems.map(({ code }) => code)

const document = sketch([
  { id: 'a', type: 'log', state: { message: 'héllo عالم 👋 "quoted"' } },
  { id: 'b', type: 'finish' },
])

function nested(depth: number): Json {
  let value: Json = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

describe('parseDocument', () => {
  test('takes what it made', () => {
    expect(parseDocument(structuredClone(document))).toEqual({ ok: true, value: document })
    expect(parseDocument(emptyDocument()).ok).toBe(true)
  })

  test('refuses forbidden keys, depth, size and unknown keys', () => {
    const withState = (state: unknown) => ({ ...document, activities: [{ id: 'a', type: 'log', state }] })
    expect(codesOf(parseDocument(withState(JSON.parse('{"__proto__": {"x": 1}}'))))).toEqual([
      'json.forbidden_key',
    ])
    expect(codesOf(parseDocument(withState({ a: [{ constructor: 1 }] })))).toEqual(['json.forbidden_key'])
    expect(codesOf(parseDocument(withState({ a: nested(40) })))).toEqual(['json.too_deep'])
    expect(codesOf(parseDocument(withState({ a: nested(200_000) })))).toEqual(['json.too_deep'])
    expect(codesOf(parseDocument(withState({ a: 'é'.repeat(300_000) })))).toEqual(['workflow.too_large'])
    expect(codesOf(parseDocument({ ...document, name: 'x' }))).toEqual(['schema.unrecognized_keys'])
    expect(codesOf(parseDocument(withState({ a: () => 1 })))).toEqual(['json.not_json'])
    for (const state of [{ a: 'x\0' }, { a: ['\ud800'] }, { 'k\0': 1 }])
      expect(codesOf(parseDocument(withState(state)))).toEqual(['json.unstorable'])
    for (const input of [null, 1, 'x', []]) expect(parseDocument(input).ok).toBe(false)
  })

  test('refuses more activities than allowed and ids that no expression could use', () => {
    const activities = Array.from({ length: DOCUMENT_LIMITS.activities + 1 }, (_, index) => ({
      id: `a${index}`,
      type: 'log',
      state: {},
    }))
    expect(codesOf(parseDocument({ ...document, activities }))).toEqual(['schema.too_big'])
    for (const id of ['A', '1a', 'a-b', 'constructor', '']) {
      expect(parseDocument({ ...document, activities: [{ id, type: 'log', state: {} }] }).ok).toBe(false)
    }
  })
})

describe('the wire', () => {
  test('states come back as they were', () => {
    expect(decodeDocument(encodeDocument(document))).toEqual({ ok: true, value: document })
    const large = { text: 'é'.repeat(100_000) }
    expect(decodeState(encodeState(large))).toEqual({ ok: true, value: large })
  })

  test('is the base64 of UTF-8 JSON', () => {
    const state = { message: 'عالم' }
    expect(encodeState(state)).toBe(Buffer.from(JSON.stringify(state)).toString('base64'))
  })

  test('refuses what is not that', () => {
    const encoded = (value: string | Uint8Array) => Buffer.from(value).toString('base64')
    expect(codesOf(decodeState('***'))).toEqual(['state.not_base64_json'])
    expect(codesOf(decodeState(encoded('{nope')))).toEqual(['state.not_base64_json'])
    expect(codesOf(decodeState(encoded(new Uint8Array([0x22, 0xff, 0x22]))))).toEqual([
      'state.not_base64_json',
    ])
    expect(codesOf(decodeState(encoded('[1]')))).toEqual(['state.not_object'])
    expect(codesOf(decodeState(encoded('{"a":{"prototype":1}}')))).toEqual(['json.forbidden_key'])
    expect(codesOf(decodeState('A'.repeat(MAX_ENCODED_STATE + 4)))).toEqual(['state.too_large'])
  })

  test('lists every broken state, and adds their sizes before decoding', () => {
    const wire = encodeDocument(document)
    const broken = { ...wire, activities: wire.activities.map((activity) => ({ ...activity, state: '*' })) }
    const result = decodeDocument(broken)
    expect(result.ok ? [] : result.problems.map(({ path }) => path)).toEqual([
      'activities.0.state',
      'activities.1.state',
    ])
    const half = encodeState({ a: 'x'.repeat(400_000) })
    const heavy = { ...wire, activities: wire.activities.map((activity) => ({ ...activity, state: half })) }
    const refused = decodeDocument(heavy)
    expect(refused.ok ? [] : refused.problems.map(({ code }) => code)).toEqual(['workflow.too_large'])
  })
})
