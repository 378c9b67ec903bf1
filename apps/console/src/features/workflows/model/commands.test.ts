import { describe, expect, test } from 'vitest'
import { readFragment } from '@weft/workflow/operations'
import { outlineOf } from '@weft/workflow/outline'
import { sketch } from '@weft/workflow/testing/builder'
import type { StepSketch } from '@weft/workflow/testing/builder'
import {
  addAt,
  copySelected,
  duplicateSelected,
  extend,
  moveSelected,
  moveTo,
  pasteAtFocus,
  removeSelected,
  selectAll,
  toggleFold,
  toggleSelectedDisabled,
  walkTo,
} from './commands.ts'
import { closedTo, setState } from './edit.ts'
import {
  documentOf,
  edit,
  focusRow,
  isDirty,
  redoEdit,
  rowsOf,
  saved,
  startEditing,
  undoEdit,
} from './editor-state.ts'
import type { EditorState } from './editor-state.ts'
import { positionsOf } from './rows.ts'

const log = (id: string): StepSketch => ({ id, type: 'log', state: { message: id } })
const loop = (id: string, body: StepSketch[]): StepSketch => ({
  id,
  type: 'for-each',
  state: { items: 'inputs.rows' },
  bodies: { body },
})
const editing = (steps: StepSketch[]) => startEditing(1, sketch(steps))
const lines = (state: EditorState) =>
  outlineOf(documentOf(state)).flatMap((row) =>
    row.kind === 'step'
      ? [`${'.'.repeat(row.depth / 2)}${row.activity.id}${row.unreachable ? '!' : ''}`]
      : [],
  )
const at = 1000

describe('arrows', () => {
  const start = editing([log('a'), loop('l', [log('x')]), log('b')])

  test('walk over steps and headings of bodies', () => {
    const down = (state: EditorState) => walkTo(state, 'down')
    const seen = [start, down(start), down(down(start)), down(down(down(start)))].map(({ focus }) => focus)
    expect(seen).toEqual(['a', 'l', 'l/body', 'x'])
    expect(walkTo(start, 'last').focus).toBe('b')
    expect(walkTo(walkTo(start, 'last'), 'down').focus).toBe('b')
    expect(walkTo(start, 'up').focus).toBe('a')
  })

  test('towards the start fold and lead out, towards the end open and lead in', () => {
    const inside = focusRow(start, 'x')
    expect(walkTo(inside, 'out').focus).toBe('l/body')
    const folded = walkTo(focusRow(start, 'l'), 'out')
    expect([...folded.folded]).toEqual(['l'])
    expect(walkTo(folded, 'down').focus).toBe('b')
    const opened = walkTo(folded, 'in')
    expect(opened.folded.size).toBe(0)
    expect(walkTo(opened, 'in').focus).toBe('l/body')
    expect(walkTo(start, 'in').focus).toBe('a')
  })

  test('a row inside something folded opens it', () => {
    const folded = toggleFold(start, 'l')
    expect(focusRow(folded, 'x').folded.size).toBe(0)
  })

  test('with Shift select from where they began', () => {
    const two = extend(extend(focusRow(start, 'x'), 1), -1)
    expect([...two.selected]).toEqual(['x'])
    expect([...extend(focusRow(start, 'x'), 1).selected]).toEqual(['x', 'b'])
  })
})

test('rows know their place among those beside them', () => {
  const state = editing([log('a'), loop('l', [log('x'), log('y')]), log('b')])
  const positions = positionsOf(rowsOf(state)).map(({ index, size }) => `${index}/${size}`)
  expect(positions).toEqual(['1/3', '2/3', '1/1', '1/2', '2/2', '3/3'])
})

describe('changes', () => {
  test('add after, into a body, before what ends the chain, and into nothing', () => {
    const state = editing([log('a'), loop('l', []), { id: 'end', type: 'finish', state: {} }])
    expect(lines(addAt(focusRow(state, 'a'), 'click', at))).toEqual(['a', 'click', 'l', 'end'])
    expect(lines(addAt(focusRow(state, 'l/body'), 'click', at))).toEqual(['a', 'l', '.click', 'end'])
    const last = addAt(focusRow(state, 'end'), 'click', at)
    expect(lines(last)).toEqual(['a', 'l', 'click', 'end'])
    expect(last.focus).toBe('click')
    expect(lines(addAt(editing([]), 'click', at))).toEqual(['click'])
  })

  test('nothing can be put behind the end: the state says why', () => {
    const state = addAt(editing([log('a'), log('b')]), 'finish', at)
    expect(lines(state)).toEqual(['a', 'b'])
    expect(state.notice?.code).toBe('operation.nothing_follows')
  })

  test('remove with content, focus on what stays, undo, redo', () => {
    const state = focusRow(editing([log('a'), loop('l', [log('x'), log('y')]), log('b')]), 'l')
    const removed = removeSelected(state, at)
    expect(lines(removed)).toEqual(['a', 'b'])
    expect(removed.focus).toBe('b')
    expect(removed.notice).toEqual({ code: 'removed', params: { count: 3 } })
    expect(lines(undoEdit(removed))).toEqual(['a', 'l', '.x', '.y', 'b'])
    expect(lines(redoEdit(undoEdit(removed)))).toEqual(['a', 'b'])
    expect(lines(removeSelected(selectAll(state), at))).toEqual([])
  })

  test('duplicate several, copy and paste', () => {
    const both = extend(editing([log('a'), log('b'), log('c')]), 1)
    expect(lines(duplicateSelected(both, at))).toEqual(['a', 'b', 'a_2', 'b_2', 'c'])
    const fragment = readFragment(JSON.stringify(copySelected(both)))
    if (!fragment) throw new Error('no fragment')
    const pasted = pasteAtFocus(focusRow(both, 'c'), fragment, at)
    expect(lines(pasted)).toEqual(['a', 'b', 'c', 'a_2', 'b_2'])
    expect(pasted.focus).toBe('a_2')
  })

  test('move several together, in and out of a loop', () => {
    const state = editing([loop('l', [log('x')]), log('a'), log('b'), log('c')])
    const two = extend(focusRow(state, 'a'), 1)
    expect(lines(moveSelected(two, 'down', at))).toEqual(['l', '.x', 'c', 'a', 'b'])
    const inside = moveSelected(two, 'in', at)
    expect(lines(inside)).toEqual(['l', '.x', '.a', '.b', 'c'])
    expect(lines(moveSelected(inside, 'out', at))).toEqual(['l', '.x', 'a', 'b', 'c'])
    expect(moveSelected(state, 'up', at)).toBe(state)
  })

  test('switch off several, and on again', () => {
    const both = extend(editing([log('a'), log('b')]), 1)
    const off = toggleSelectedDisabled(both, at)
    expect(documentOf(off).activities.map(({ disabled }) => disabled)).toEqual([true, true])
    expect(documentOf(toggleSelectedDisabled(off, at)).activities[0]).not.toHaveProperty('disabled')
  })

  test('a case that is taken away goes with its steps', () => {
    const cases = [
      { key: 'k1', equals: 'a' },
      { key: 'k2', equals: 'b' },
    ]
    const document = sketch([
      {
        id: 's',
        type: 'switch',
        state: { value: '1', cases },
        bodies: { 'case:k1': [log('a')], 'case:k2': [log('b'), log('c')] },
      },
    ])
    const changed = setState(document, 's', { value: '1', cases: cases.slice(0, 1) })
    expect(changed.removed).toBe(2)
    expect(changed.document.activities.map(({ id }) => id)).toEqual(['s', 'a'])
  })
})

describe('history', () => {
  test('letters typed in quick succession are one step, a pause or another field begins a new one', () => {
    const document = sketch([log('a')])
    const named = (name: string) => ({
      ...document,
      activities: document.activities.map((activity) => ({ ...activity, name })),
    })
    let state = startEditing(1, document)
    state = edit(state, named('x'), { at: 0, group: 'name' })
    state = edit(state, named('xy'), { at: 500, group: 'name' })
    state = edit(state, named('xyz'), { at: 9000, group: 'name' })
    expect(documentOf(undoEdit(state)).activities[0]?.name).toBe('xy')
    expect(documentOf(undoEdit(undoEdit(state)))).toBe(document)
  })

  test('there is something to save until it is saved, and again after undo', () => {
    const state = startEditing(1, sketch([log('a')]))
    expect(isDirty(state)).toBe(false)
    const more = addAt(state, 'log', at)
    expect(isDirty(more)).toBe(true)
    const kept = saved(more, 2, documentOf(more))
    expect(isDirty(kept)).toBe(false)
    expect(isDirty(undoEdit(kept))).toBe(true)
  })
})

describe('moving to a place', () => {
  test('takes several with their order, and stays selected', () => {
    const state = editing([log('a'), log('b'), loop('c', [log('d')]), log('e')])
    const moved = moveTo(state, new Set(['a', 'b']), { at: 'into', id: 'c', outcome: 'body' }, at)
    expect(lines(moved)).toEqual(['c', '.a', '.b', '.d', 'e'])
    expect([...moved.selected]).toEqual(['a', 'b'])
    expect(lines(undoEdit(moved))).toEqual(['a', 'b', 'c', '.d', 'e'])
  })

  test('to where they stand changes nothing, into themselves is refused', () => {
    const state = editing([log('a'), loop('c', [log('d')]), log('e')])
    expect(lines(moveTo(state, new Set(['c']), { at: 'after', id: 'a' }, at))).toEqual(lines(state))
    expect(lines(moveTo(state, new Set(['e']), { at: 'after', id: 'e' }, at))).toEqual(lines(state))
    const refused = moveTo(state, new Set(['c']), { at: 'after', id: 'd' }, at)
    expect(lines(refused)).toEqual(lines(state))
    expect(refused.notice?.code).toBe('operation.into_itself')
  })
})

test('a step cannot be put into itself, and putting it where it stands is no move', () => {
  const document = sketch([log('a'), loop('c', [log('d'), log('x')]), log('e')])
  const closed = closedTo(document, ['c'])
  expect(closed({ at: 'after', id: 'c' })).toBe(true)
  expect(closed({ at: 'after', id: 'a' })).toBe(true)
  expect(closed({ at: 'into', id: 'c', outcome: 'body' })).toBe(true)
  expect(closed({ at: 'after', id: 'd' })).toBe(true)
  expect(closed({ at: 'after', id: 'e' })).toBe(false)
  expect(closed({ at: 'start' })).toBe(false)
  expect(closedTo(document, ['a'])({ at: 'start' })).toBe(true)
  expect(closedTo(document, ['d'])({ at: 'into', id: 'c', outcome: 'body' })).toBe(true)
})
