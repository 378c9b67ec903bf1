import { describe, expect, test } from 'vitest'
import type { MenuTree } from '@weft/contract/routes/schema'
import { summaryOf } from './diff.ts'
import { dress, indent, keyOf, outdent, put, remove, rowsOf, shift, tidy } from './tree.ts'

const GROUP = '019a0000-0000-7000-8000-000000000001'
const LINK = '019a0000-0000-7000-8000-000000000002'
const tree: MenuTree = [
  { kind: 'page', path: '/a' },
  {
    kind: 'page',
    path: '/b',
    children: [
      { kind: 'page', path: '/b/1' },
      { kind: 'page', path: '/b/2' },
    ],
  },
  { kind: 'page', path: '/c' },
  {
    kind: 'group',
    id: GROUP,
    titles: { en: 'Own' },
    children: [{ kind: 'link', id: LINK, titles: { en: 'Help' }, url: 'https://example.org/' }],
  },
]
const shape = (of: MenuTree) =>
  rowsOf(of)
    .map(({ key, parent }) => `${parent === null ? '' : '-'}${key.replace(/^.*(?=.$)/, '')}`)
    .join(' ')

test('the lines stand from top to bottom, groups before what they hold', () => {
  expect(shape(tree)).toBe('a b -1 -2 c 1 -2')
  expect(rowsOf(tree)[2]).toMatchObject({ key: '/b/1', parent: '/b', index: 0, count: 2 })
})

describe('moving', () => {
  test('goes up and down among siblings, and no further', () => {
    expect(shape(shift(tree, '/c', -1))).toBe('a c b -1 -2 1 -2')
    expect(shape(shift(tree, '/a', 1))).toBe('b -1 -2 a c 1 -2')
    expect(shift(tree, '/a', -1)).toBe(tree)
    expect(shape(shift(tree, '/b/1', 1))).toBe('a b -2 -1 c 1 -2')
    expect(shift(tree, '/b/2', 1)).toBe(tree)
  })

  test('goes into the group before it and out of it again', () => {
    expect(shape(indent(tree, '/c'))).toBe('a b -1 -2 -c 1 -2')
    expect(shape(outdent(indent(tree, '/c'), '/c'))).toBe(shape(tree))
    expect(indent(tree, '/a')).toBe(tree)
    expect(outdent(tree, '/a')).toBe(tree)
  })

  test('puts nothing into what is no group, no group into a group, and nothing into itself', () => {
    expect(put(tree, '/c', { parent: '/a', index: 0 })).toBe(tree)
    expect(put(tree, '/b', { parent: GROUP, index: 0 })).toBe(tree)
    expect(put(tree, '/b', { parent: '/b', index: 0 })).toBe(tree)
    expect(indent(tree, GROUP)).toBe(tree)
  })

  test('puts anything anywhere by its place before it was taken away', () => {
    expect(shape(put(tree, '/b/1', { parent: null, index: 0 }))).toBe('1 a b -2 c 1 -2')
    expect(shape(put(tree, '/a', { parent: null, index: 3 }))).toBe('b -1 -2 c a 1 -2')
    expect(shape(put(tree, '/b/1', { parent: '/b', index: 2 }))).toBe('a b -2 -1 c 1 -2')
  })
})

test('a group that is taken away leaves what it held; a shipped page stays', () => {
  expect(shape(remove(tree, GROUP))).toBe('a b -1 -2 c 2')
  expect(remove(tree, '/a')).toBe(tree)
  expect(shape(remove(tree, LINK))).toBe('a b -1 -2 c 1')
})

test('what says nothing is not kept', () => {
  const dressed = dress(dress(tree, '/b/1', { titles: { en: ' ', fr: 'Un' }, hidden: false }), '/a', {
    hidden: true,
  })
  const tidied = tidy(dressed)
  expect(tidied[0]).toEqual({ kind: 'page', path: '/a', hidden: true })
  expect(rowsOf(tidied)[2]?.entry).toEqual({ kind: 'page', path: '/b/1', titles: { fr: 'Un' } })
  expect(keyOf(tidied[3] ?? { kind: 'page', path: '' })).toBe(GROUP)
})

test('a summary counts what is other', () => {
  const none = { added: 0, removed: 0, moved: 0, renamed: 0, hidden: 0, shown: 0 }
  expect(summaryOf(tree, tree)).toEqual(none)
  expect(summaryOf(tree, shift(tree, '/a', 1))).toEqual({ ...none, moved: 1 })
  expect(summaryOf(tree, put(tree, '/a', { parent: null, index: 4 }))).toEqual({ ...none, moved: 1 })
  expect(summaryOf(tree, dress(indent(tree, '/c'), '/a', { hidden: true }))).toEqual({
    ...none,
    moved: 1,
    hidden: 1,
  })
  expect(summaryOf(tree, remove(tree, LINK))).toEqual({ ...none, removed: 1 })
  expect(summaryOf(tree, dress(tree, '/a', { titles: { en: 'A' } }))).toEqual({ ...none, renamed: 1 })
})
