import { describe, expect, test } from 'vitest'
import { emptyDocument } from '@weft/workflow/document'
import type { Json } from '@weft/workflow/json'
import { sketch } from '@weft/workflow/testing/builder'
import { diffLines, foldEqual } from './line-diff.ts'
import { findDrafts, forgetDraft, keepDraft } from './local-draft.ts'
import type { DraftStorage } from './local-draft.ts'
import { outlineText } from './outline-text.ts'
import { referencesFor } from './references.ts'
import { summaryOf } from './summary.ts'

const words = {
  input: 'input',
  variable: 'variable',
  setting: (name: string, value: string | number) => `${name}: ${value}`,
  disabled: 'off',
  timeLimit: 'limit',
  retry: 'retry',
}

test('a document as text: declarations, settings, steps with their values, bodies indented', () => {
  const document = sketch(
    [
      {
        id: 'open',
        type: 'open-page',
        state: { url: 'http://a/' },
        retry: { attempts: 3, delaySeconds: 2 },
      },
      {
        id: 'each',
        type: 'for-each',
        state: { items: 'inputs.rows' },
        bodies: {
          body: [
            { id: 'hit', type: 'click', disabled: true, state: { targets: [{ by: 'css', selector: '#x' }] } },
          ],
        },
      },
    ],
    { inputs: [{ name: 'rows', type: 'list', required: true }] },
  )
  const text = outlineText(document, (key) => key.split('.').slice(1, -1).join('.') || key, words)
  expect(text).toEqual([
    'input rows (list *)',
    'timeLimitSeconds: 900',
    'maxAttempts: 1',
    'traceOn: failure',
    'open-page [open]',
    '    open-page.fields.url = http://a/',
    '    retry = 3 × 2 s',
    'for-each [each]',
    '    for-each.fields.items = inputs.rows',
    '  for-each.outcomes',
    '    click [hit] (off)',
    '        common.fields.targets = #x',
  ])
})

test('the row of a step says the most telling values', () => {
  expect(
    summaryOf({
      id: 'f',
      type: 'fill',
      typeVersion: 1,
      state: {
        targets: [
          { by: 'label', text: 'Name' },
          { by: 'css', selector: '#n' },
        ],
        value: 'Ada\n Lovelace',
      },
    }),
  ).toBe('label “Name” · Ada Lovelace')
  const click = (target: Json) =>
    summaryOf({ id: 'c', type: 'click', typeVersion: 1, state: { targets: [target] } })
  expect(click({ by: 'role', role: 'button', name: 'Save' })).toBe('button “Save”')
  expect(
    summaryOf({
      id: 'ask',
      type: 'ask-person',
      typeVersion: 1,
      state: {
        title: 'May it go?',
        fields: [
          { name: 'send', label: 'Send it', kind: 'boolean' },
          { name: 'note', label: '', kind: 'text', required: false },
        ],
      },
    }),
  ).toBe('May it go? · Send it, note')
  expect(summaryOf({ id: 'x', type: 'unknown-type', typeVersion: 1, state: {} })).toBe('unknown-type')
})

describe('comparing lines', () => {
  const compare = (before: string, after: string) =>
    diffLines(before.split(''), after.split(''))
      .map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`)
      .join('')

  test('the longest common lines stay', () => {
    expect(compare('abcd', 'abcd')).toBe(' a b c d')
    expect(compare('abcd', 'axcd')).toBe(' a-b+x c d')
    expect(compare('', 'ab')).toBe('+a+b')
    expect(compare('abcabba', 'cbabac')).toBe('-a-b c-a b+a b a+c')
  })

  test('equal lines far from a change are left out and counted', () => {
    const parts = foldEqual(diffLines('abcdefghij'.split(''), 'abcdefghiX'.split('')), 1)
    expect(parts.map((part) => (part.kind === 'gap' ? part.count : part.lines.length))).toEqual([8, 3])
  })
})

test('a step may use what stands before it, and loops and failures only within them', () => {
  const document = sketch(
    [
      { id: 'read', type: 'extract', state: {} },
      { id: 'each', type: 'for-each', state: {}, bodies: { body: [{ id: 'hit', type: 'log', state: {} }] } },
    ],
    { inputs: [{ name: 'base', type: 'text', required: true }] },
  )
  const names = (id: string) => referencesFor(document, id).map(({ expression }) => expression)
  expect(names('hit')).toEqual(expect.arrayContaining(['inputs.base', 'steps.read.value', 'loop.value']))
  expect(names('hit')).not.toContain('error.message')
  expect(names('read')).not.toContain('steps.read.value')
  expect(names('read')).not.toContain('loop.value')
})

test('unsaved work is kept per user, workflow and tab; what cannot be read or kept breaks nothing', () => {
  const kept = new Map<string, string>()
  const storage: DraftStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    key: (index) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size
    },
  }
  const base = emptyDocument()
  const draft = {
    version: 3,
    at: 5,
    base,
    document: sketch([{ id: 'a', type: 'log', state: { message: 'x' } }]),
  }
  const place = { userId: 'u', workflowId: 'w', tabId: 't1' }
  expect(keepDraft(storage, place, draft)).toBe(true)
  keepDraft(storage, { ...place, tabId: 't2' }, { ...draft, at: 9 })
  keepDraft(storage, { ...place, workflowId: 'other' }, draft)
  expect(findDrafts(storage, place).map(({ tabId, draft: { at } }) => [tabId, at])).toEqual([
    ['t2', 9],
    ['t1', 5],
  ])
  for (const key of kept.keys()) if (key.endsWith('t2')) kept.set(key, '{broken')
  expect(findDrafts(storage, place)).toEqual([{ tabId: 't1', draft }])
  forgetDraft(storage, place)
  expect(findDrafts(storage, place)).toEqual([])
  const full = {
    ...storage,
    setItem: () => {
      throw new Error('full')
    },
  }
  expect(keepDraft(full, place, draft)).toBe(false)
})
