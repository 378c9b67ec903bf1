import { describe, expect, test } from 'vitest'
import { emptyDocument } from '@weft/workflow/document'
import type { WorkflowDocument } from '@weft/workflow/document'
import { outlineOf } from '@weft/workflow/outline'
import { sketch } from '@weft/workflow/testing/builder'
import type { StepSketch } from '@weft/workflow/testing/builder'
import type { Merge } from './conflict.ts'
import { choicesFor, mergeDocuments } from './merge.ts'

const log = (id: string, message = id): StepSketch => ({ id, type: 'log', state: { message } })
const loop = (id: string, body: StepSketch[]): StepSketch => ({
  id,
  type: 'for-each',
  state: { items: 'inputs.rows' },
  bodies: { body },
})
const messageOf = (message: unknown) => (typeof message === 'string' ? message : '')
const lines = (document: WorkflowDocument) =>
  outlineOf(document).flatMap((row) =>
    row.kind === 'step'
      ? [
          `${'.'.repeat(row.depth / 2)}${row.activity.id}=${messageOf(row.activity.state['message'])}${row.unreachable ? '!' : ''}`,
        ]
      : [],
  )
const merge = (base: StepSketch[], mine: StepSketch[], theirs: StepSketch[], choices = {}) => {
  const merged = mergeDocuments({ base: sketch(base), mine: sketch(mine), theirs: sketch(theirs) }, choices)
  return { lines: lines(merged.document), conflicts: merged.conflicts.map(({ key }) => key) }
}
const keysOf = ({ conflicts }: Merge) => conflicts.map(({ key }) => key)
const abc = [log('a'), log('b'), log('c')]

describe('without conflict', () => {
  test('different steps changed', () => {
    expect(merge(abc, [log('a', 'x'), log('b'), log('c')], [log('a'), log('b'), log('c', 'y')])).toEqual({
      lines: ['a=x', 'b=b', 'c=y'],
      conflicts: [],
    })
  })

  test('steps added on both sides, also at one place', () => {
    expect(
      merge(abc, [log('a'), log('m'), log('b'), log('c')], [log('a'), log('t'), log('b'), log('c')]),
    ).toEqual({ lines: ['a=a', 'm=m', 't=t', 'b=b', 'c=c'], conflicts: [] })
    expect(merge(abc, [log('m'), ...abc], [...abc, log('t')]).lines).toEqual([
      'm=m',
      'a=a',
      'b=b',
      'c=c',
      't=t',
    ])
  })

  test('one reorders, the other adds and deletes', () => {
    expect(merge(abc, [log('c'), log('a'), log('b')], [log('a'), log('t'), log('c')])).toEqual({
      lines: ['c=c', 'a=a', 't=t'],
      conflicts: [],
    })
  })

  test('one moves into a loop, the other changes the step', () => {
    expect(
      merge(
        [loop('l', [log('in')]), log('b')],
        [loop('l', [log('in'), log('b')])],
        [loop('l', [log('in')]), log('b', 'new')],
      ),
    ).toEqual({ lines: ['l=', '.in=in', '.b=new'], conflicts: [] })
  })

  test('a loop deleted on one side and untouched on the other is gone with its content', () => {
    const base = [log('a'), loop('l', [log('in')])]
    expect(merge(base, [log('a')], [log('a', 'x'), loop('l', [log('in')])])).toEqual({
      lines: ['a=x'],
      conflicts: [],
    })
    expect(merge(base, [log('a', 'x'), loop('l', [log('in')])], [log('a')]).lines).toEqual(['a=x'])
  })

  test('different steps that got the same id by themselves', () => {
    const mine = [log('a'), log('log', 'mine'), log('after', '{{ steps.log.value }}')]
    expect(merge([log('a')], mine, [log('a'), log('log', 'theirs')])).toEqual({
      lines: ['a=a', 'log_2=mine', 'after={{ steps.log_2.value }}', 'log=theirs'],
      conflicts: [],
    })
  })

  test('from nothing, inputs and settings', () => {
    const base = emptyDocument()
    const mine = { ...sketch([log('a')]), inputs: [{ name: 'x', type: 'text' as const, required: false }] }
    const theirs = { ...base, settings: { ...base.settings, maxAttempts: 3 } }
    const { document, conflicts } = mergeDocuments({ base, mine, theirs })
    expect(conflicts).toEqual([])
    expect(document).toEqual({ ...mine, settings: theirs.settings })
  })
})

describe('with conflict', () => {
  test('the same step changed differently: mine, until theirs is chosen', () => {
    const mine = [log('a', 'x'), log('b'), log('c')]
    const theirs = [log('a', 'y'), log('b'), log('c')]
    expect(merge(abc, mine, theirs)).toEqual({ lines: ['a=x', 'b=b', 'c=c'], conflicts: ['step:a'] })
    expect(merge(abc, mine, theirs, { 'step:a': 'theirs' }).lines).toEqual(['a=y', 'b=b', 'c=c'])
  })

  test('deleted here, changed there', () => {
    const theirs = [log('a'), log('b', 'y'), log('c')]
    expect(merge(abc, [log('a'), log('c')], theirs)).toEqual({
      lines: ['a=a', 'c=c'],
      conflicts: ['step:b'],
    })
    expect(merge(abc, [log('a'), log('c')], theirs, { 'step:b': 'theirs' }).lines).toEqual([
      'a=a',
      'b=y',
      'c=c',
    ])
  })

  test('a loop deleted there in which something was added here', () => {
    const base = [log('a'), loop('l', [log('in')])]
    const mine = [log('a'), loop('l', [log('in'), log('new')])]
    expect(merge(base, mine, [log('a')])).toEqual({
      lines: ['a=a', 'l=', '.in=in', '.new=new'],
      conflicts: ['step:l'],
    })
    expect(merge(base, mine, [log('a')], { 'step:l': 'theirs' }).lines).toEqual(['a=a'])
  })

  test('both reorder differently: one arrangement is chosen whole, changes of steps stay', () => {
    const mine = [log('c'), log('b'), log('a', 'x')]
    const theirs = [log('b'), log('a'), log('c')]
    expect(merge(abc, mine, theirs)).toEqual({ lines: ['c=c', 'b=b', 'a=x'], conflicts: ['order'] })
    expect(merge(abc, mine, theirs, { order: 'theirs' }).lines).toEqual(['b=b', 'a=x', 'c=c'])
  })

  test('two loops moved into each other', () => {
    const base = [loop('l', [log('x')]), loop('k', [log('y')])]
    const mine = [loop('k', [log('y'), loop('l', [log('x')])])]
    const theirs = [loop('l', [log('x'), loop('k', [log('y')])])]
    const merged = merge(base, mine, theirs)
    expect(merged.conflicts).toEqual(['order'])
    expect(merged.lines).toEqual(['k=', '.y=y', '.l=', '..x=x'])
  })

  test('a step that a choice brings back where it cannot stand by itself is asked about too', () => {
    const last = (id: string): StepSketch => ({ id, type: 'finish', state: { message: id } })
    const versions = {
      base: sketch([last('a')]),
      mine: sketch([last('b')]),
      theirs: sketch([{ ...last('a'), name: 'x' }]),
    }
    expect(keysOf(mergeDocuments(versions))).toEqual(['step:a'])
    expect(keysOf(mergeDocuments(versions, { 'step:a': 'theirs' }))).toEqual(['order', 'step:a'])
    const choices = choicesFor('theirs', versions)
    expect(choices).toEqual({ 'step:a': 'theirs', order: 'theirs' })
    expect(lines(mergeDocuments(versions, choices).document)).toEqual(['a=a'])
  })

  test('inputs, variables and settings', () => {
    const base = emptyDocument()
    const input = (label: string) => ({ name: 'x', type: 'text' as const, required: false, label })
    const mine = { ...base, inputs: [input('m')], settings: { ...base.settings, maxAttempts: 2 } }
    const theirs = { ...base, inputs: [input('t')], settings: { ...base.settings, maxAttempts: 3 } }
    const merged = mergeDocuments({ base, mine, theirs }, { 'setting:maxAttempts': 'theirs' })
    expect(merged.conflicts.map(({ key }) => key)).toEqual(['input:x', 'setting:maxAttempts'])
    expect(merged.document.inputs).toEqual([input('m')])
    expect(merged.document.settings.maxAttempts).toBe(3)
  })
})
