import { describe, expect, test } from 'vitest'
import type { WorkflowDocument } from './document.ts'
import { apply } from './operations.ts'
import type { Operation } from './operations.ts'
import { indent, moveDown, moveUp, outdent } from './outline-moves.ts'
import { sketch } from './testing/builder.ts'
import type { StepSketch } from './testing/builder.ts'
import { lines } from './testing/outline-lines.ts'

const log = (id: string, message = 'x'): StepSketch => ({ id, type: 'log', state: { message } })
const tree = () =>
  sketch([
    log('a'),
    {
      id: 'c',
      type: 'condition',
      state: { condition: 'true' },
      bodies: { true: [log('t1'), log('t2')], false: [log('f1')] },
    },
    log('z'),
  ])

describe('keys of the outline', () => {
  const after = (document: WorkflowDocument, operation: Operation | null) =>
    operation ? lines(apply(document, operation)) : null

  test('up and down walk through bodies', () => {
    expect(after(tree(), moveUp(tree(), 'z'))).toEqual([
      'a',
      'z',
      'c',
      '  -true',
      '    t1',
      '    t2',
      '  -false',
      '    f1',
    ])
    expect(after(tree(), moveUp(tree(), 't1'))).toEqual([
      'a',
      't1',
      'c',
      '  -true',
      '    t2',
      '  -false',
      '    f1',
      'z',
    ])
    expect(after(tree(), moveUp(tree(), 'f1'))).toEqual([
      'a',
      'c',
      '  -true',
      '    t1',
      '    t2',
      '    f1',
      '  -false (empty)',
      'z',
    ])
    expect(after(tree(), moveDown(tree(), 't2'))).toEqual([
      'a',
      'c',
      '  -true',
      '    t1',
      '  -false',
      '    t2',
      '    f1',
      'z',
    ])
    expect(after(tree(), moveDown(tree(), 'f1'))).toEqual([
      'a',
      'c',
      '  -true',
      '    t1',
      '    t2',
      '  -false (empty)',
      'f1',
      'z',
    ])
    expect(moveUp(tree(), 'a')).toBeNull()
    expect(moveDown(tree(), 'z')).toBeNull()
  })

  test('indent and outdent', () => {
    expect(after(tree(), indent(tree(), 'z'))).toEqual([
      'a',
      'c',
      '  -true',
      '    t1',
      '    t2',
      '    z',
      '  -false',
      '    f1',
    ])
    expect(after(tree(), indent(tree(), 'z', 'false'))).toEqual([
      'a',
      'c',
      '  -true',
      '    t1',
      '    t2',
      '  -false',
      '    f1',
      '    z',
    ])
    expect(indent(tree(), 't2')).toBeNull()
    expect(after(tree(), outdent(tree(), 't2'))).toEqual([
      'a',
      'c',
      '  -true',
      '    t1',
      '  -false',
      '    f1',
      't2',
      'z',
    ])
    expect(outdent(tree(), 'a')).toBeNull()
  })

  test('finish does not move up past anything', () => {
    expect(moveUp(sketch([log('a'), { id: 'end', type: 'finish' }]), 'end')).toBeNull()
  })
})
