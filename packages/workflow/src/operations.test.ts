import { describe, expect, test } from 'vitest'
import { DOCUMENT_LIMITS, parseDocument } from './document.ts'
import { change, createHistory, redo, undo } from './history.ts'
import { apply, copyActivities, freeIdFor, OperationError, readFragment } from './operations.ts'
import type { Operation, Place } from './operations.ts'
import { indent, moveDown, moveUp, outdent } from './outline-moves.ts'
import { outlineOf } from './outline.ts'
import { sketch } from './testing/builder.ts'
import { freeze, lines } from './testing/outline-lines.ts'
import type { StepSketch } from './testing/builder.ts'
import { validate } from './validate.ts'

const log = (id: string, message = 'x'): StepSketch => ({ id, type: 'log', state: { message } })
const activity = (id: string, type = 'log') => ({ id, type, typeVersion: 1, state: {} })
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

const codeOf = (work: () => unknown): string => {
  try {
    work()
    return 'done'
  } catch (error) {
    return error instanceof OperationError ? error.code : String(error)
  }
}

describe('outline', () => {
  test('shows chains as rows and bodies as indented rows', () => {
    expect(lines(tree())).toEqual(['a', 'c', '  -true', '    t1', '    t2', '  -false', '    f1', 'z'])
  })

  test('shows every step once, also loose ones and circles', () => {
    const document = sketch([log('a'), log('b'), log('c'), log('d')])
    document.connections = [
      { from: 'c', outcome: 'done', to: 'd' },
      { from: 'd', outcome: 'done', to: 'c' },
    ]
    expect(lines(document)).toEqual(['a', 'b ?', 'c ?', 'd ?'])
  })
})

describe('operations', () => {
  test.each<[string, Place, string[]]>([
    [
      'at the start',
      { at: 'start' },
      ['n', 'a', 'c', '  -true', '    t1', '    t2', '  -false', '    f1', 'z'],
    ],
    [
      'after a step',
      { at: 'after', id: 't1' },
      ['a', 'c', '  -true', '    t1', '    n', '    t2', '  -false', '    f1', 'z'],
    ],
    [
      'into a body',
      { at: 'into', id: 'c', outcome: 'false' },
      ['a', 'c', '  -true', '    t1', '    t2', '  -false', '    n', '    f1', 'z'],
    ],
    [
      'at the end',
      { at: 'after', id: 'z' },
      ['a', 'c', '  -true', '    t1', '    t2', '  -false', '    f1', 'z', 'n'],
    ],
  ])('add %s', (_, place, expected) => {
    expect(lines(apply(freeze(tree()), { kind: 'addActivity', activity: activity('n'), place }))).toEqual(
      expected,
    )
  })

  test('add into an empty document', () => {
    const empty = { ...sketch([]), start: null }
    expect(
      lines(apply(empty, { kind: 'addActivity', activity: activity('n'), place: { at: 'start' } })),
    ).toEqual(['n'])
  })

  test('remove closes the chain and takes bodies along', () => {
    expect(lines(apply(freeze(tree()), { kind: 'removeActivity', id: 'c' }))).toEqual(['a', 'z'])
    expect(lines(apply(tree(), { kind: 'removeActivity', id: 'a' }))[0]).toBe('c')
    expect(lines(apply(tree(), { kind: 'removeActivity', id: 't1' }))[3]).toBe('    t2')
    const only = apply(sketch([log('a')]), { kind: 'removeActivity', id: 'a' })
    expect([only.start, only.activities]).toEqual([null, []])
  })

  test('move takes bodies along, but not into themselves', () => {
    const moved = apply(freeze(tree()), { kind: 'moveActivity', id: 'c', place: { at: 'start' } })
    expect(lines(moved)).toEqual(['c', '  -true', '    t1', '    t2', '  -false', '    f1', 'a', 'z'])
    const place: Place = { at: 'after', id: 't1' }
    expect(codeOf(() => apply(tree(), { kind: 'moveActivity', id: 'c', place }))).toBe(
      'operation.into_itself',
    )
  })

  test('nothing follows finish', () => {
    const document = sketch([log('a'), { id: 'end', type: 'finish' }])
    const end = activity('n', 'finish')
    expect(
      codeOf(() =>
        apply(document, { kind: 'addActivity', activity: activity('n'), place: { at: 'after', id: 'end' } }),
      ),
    ).toBe('operation.nothing_follows')
    expect(
      codeOf(() => apply(document, { kind: 'addActivity', activity: end, place: { at: 'start' } })),
    ).toBe('operation.nothing_follows')
  })

  test('update changes and takes away', () => {
    const named = apply(freeze(tree()), {
      kind: 'updateActivity',
      id: 'a',
      changes: { name: 'First', state: { message: 'new' }, timeLimitSeconds: 5 },
    })
    expect(named.activities[0]).toMatchObject({
      name: 'First',
      state: { message: 'new' },
      timeLimitSeconds: 5,
    })
    const bare = apply(named, { kind: 'updateActivity', id: 'a', changes: { name: undefined } })
    expect(Object.keys(bare.activities[0] ?? {})).not.toContain('name')
    expect(parseDocument(bare).ok).toBe(true)
  })

  test('rename follows into connections and every kind of expression', () => {
    const document = sketch([
      { id: 'read', type: 'extract', state: { targets: [{ by: 'css', selector: 'p' }] } },
      log(
        'a',
        '{{ steps.read.value }} \\{{ steps.read }} {{ x.steps.read + steps["read"].count + `${steps.read.count}` }}',
      ),
      { id: 'c', type: 'condition', state: { condition: 'steps.read.count > 1 && steps.reader' } },
      { id: 'k', type: 'click', state: { targets: [{ by: 'text', text: '{{ steps?.read.value }}' }] } },
      { id: 'd', type: 'delay', state: { seconds: '{{ steps.read.count }}' } },
      {
        id: 'f',
        type: 'finish',
        state: { outputs: [{ name: 'steps.read', value: '{{ steps.read.value }}' }] },
      },
    ])
    const renamed = apply(freeze(document), { kind: 'renameActivity', id: 'read', newId: 'rows' })
    expect(renamed.start).toBe('rows')
    expect(renamed.activities.map(({ state }) => state)).toEqual([
      { targets: [{ by: 'css', selector: 'p' }] },
      {
        message:
          '{{ steps.rows.value }} \\{{ steps.read }} {{ x.steps.read + steps["rows"].count + `${steps.rows.count}` }}',
      },
      { condition: 'steps.rows.count > 1 && steps.reader' },
      { targets: [{ by: 'text', text: '{{ steps?.rows.value }}' }] },
      { seconds: '{{ steps.rows.count }}' },
      { outputs: [{ name: 'steps.read', value: '{{ steps.rows.value }}' }] },
    ])
    expect(codeOf(() => apply(document, { kind: 'renameActivity', id: 'a', newId: 'read' }))).toBe(
      'operation.id_taken',
    )
    expect(codeOf(() => apply(document, { kind: 'renameActivity', id: 'a', newId: 'A b' }))).toBe(
      'operation.id_invalid',
    )
  })

  test('what stood in a case that is gone is copied as steps of its own', () => {
    const choice = (key: string): StepSketch => ({
      id: 's',
      type: 'switch',
      state: { value: '1', cases: [{ key }] },
    })
    const before = sketch([{ ...choice('one'), bodies: { 'case:one': [log('in')] } }])
    const gone = apply(before, {
      kind: 'updateActivity',
      id: 's',
      changes: { state: { value: '1', cases: [{ key: 'two' }] } },
    })
    const fragment = copyActivities(gone, ['s', 'in'])
    const pasted = apply(sketch([]), { kind: 'paste', fragment, place: { at: 'start' } })
    const back = apply(pasted, {
      kind: 'updateActivity',
      id: 's',
      changes: { state: { value: '1', cases: [{ key: 'one' }] } },
    })
    // The case that came back is empty: nothing is reached in two ways.
    expect(back.connections).toEqual([{ from: 's', outcome: 'done', to: 'in' }])
  })

  test('duplicate and paste give new ids, and references among copied steps follow', () => {
    const document = sketch([
      {
        id: 'each',
        type: 'for-each',
        state: { items: '[1]' },
        bodies: {
          body: [
            { id: 'read', type: 'extract', state: { targets: [{ by: 'css', selector: 'p' }] } },
            log('say', '{{ steps.read.value }} {{ steps.other.value }}'),
          ],
        },
      },
      { id: 'other', type: 'transform', state: { expression: '1' } },
    ])
    const copy = apply(freeze(document), { kind: 'duplicateActivity', id: 'each' })
    expect(lines(copy)).toEqual([
      'each',
      '  -body',
      '    read',
      '    say',
      'each_2',
      '  -body',
      '    read_2',
      '    say_2',
      'other',
    ])
    expect(copy.activities.find(({ id }) => id === 'say_2')?.state).toEqual({
      message: '{{ steps.read_2.value }} {{ steps.other.value }}',
    })
    const fragment = copyActivities(document, ['other', 'say', 'each'])
    expect(fragment.heads).toEqual(['each', 'other'])
    expect(readFragment(JSON.stringify(fragment))).toEqual(fragment)
    const pasted = apply(tree(), { kind: 'paste', fragment, place: { at: 'into', id: 'c', outcome: 'true' } })
    expect(lines(pasted).slice(2, 8)).toEqual([
      '  -true',
      '    each',
      '      -body',
      '        read',
      '        say',
      '    other',
    ])
    for (const text of ['', 'hello', '{}', '{"weft":"fragment","__proto__":{}}'])
      expect(readFragment(text)).toBeNull()
  })

  test('lines of a canvas: a tree stays a tree', () => {
    const document = sketch([log('a'), log('b'), log('c')])
    const cut = apply(freeze(document), { kind: 'disconnect', from: 'a', outcome: 'done' })
    expect(lines(cut)).toEqual(['a', 'b ?', 'c ?'])
    expect(codeOf(() => apply(cut, { kind: 'connect', from: 'c', outcome: 'done', to: 'b' }))).toBe(
      'operation.cycle',
    )
    expect(codeOf(() => apply(cut, { kind: 'connect', from: 'a', outcome: 'done', to: 'c' }))).toBe(
      'operation.already_reached',
    )
    expect(codeOf(() => apply(cut, { kind: 'connect', from: 'a', outcome: 'x', to: 'b' }))).toBe(
      'operation.unknown_outcome',
    )
    expect(codeOf(() => apply(cut, { kind: 'connect', from: 'b', outcome: 'done', to: 'a' }))).toBe(
      'operation.outcome_taken',
    )
    expect(codeOf(() => apply(cut, { kind: 'disconnect', from: 'a', outcome: 'done' }))).toBe(
      'operation.not_connected',
    )
    expect(codeOf(() => apply(cut, { kind: 'setStart', id: 'c' }))).toBe('operation.already_reached')
    expect(lines(apply(cut, { kind: 'connect', from: 'a', outcome: 'done', to: 'b' }))).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(lines(apply(cut, { kind: 'setStart', id: 'b' }))).toEqual(['b', 'c', 'a ?'])
  })

  test('limits and unknown steps', () => {
    const full = sketch(Array.from({ length: DOCUMENT_LIMITS.activities }, (_, index) => log(`s${index}`)))
    expect(codeOf(() => apply(full, { kind: 'duplicateActivity', id: 's1' }))).toBe('operation.too_many')
    expect(codeOf(() => apply(tree(), { kind: 'removeActivity', id: 'q' }))).toBe('operation.unknown_step')
    expect(freeIdFor(tree(), 'open-page')).toBe('open_page')
    expect(
      freeIdFor(
        apply(tree(), { kind: 'addActivity', activity: activity('log'), place: { at: 'start' } }),
        'log',
      ),
    ).toBe('log_2')
  })
})

test('history: undo and redo are exact, and typing is one step', () => {
  const begin = createHistory(freeze(tree()))
  const type = (history: typeof begin, message: string) =>
    change(history, { kind: 'updateActivity', id: 'a', changes: { state: { message } } }, 'a.message')
  const typed = type(type(type(begin, 'h'), 'he'), 'hey')
  expect(typed.past).toHaveLength(1)
  const removed = change(typed, { kind: 'removeActivity', id: 'c' })
  const back = undo(undo(removed))
  expect(back.present).toBe(begin.present)
  expect(redo(redo(back)).present).toEqual(removed.present)
  expect(undo(begin)).toBe(begin)
  expect(redo(begin)).toBe(begin)
})

test('a thousand random operations keep the document a tree', () => {
  let seed = 42
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const types = ['log', 'condition', 'try-catch', 'for-each', 'finish', 'click']
  let document = freeze(tree())
  let applied = 0
  for (let round = 0; round < 1000; round += 1) {
    const pick = () => document.activities[random(document.activities.length)]?.id ?? 'a'
    const bodies = ['true', 'false', 'try', 'catch', 'body']
    const places: Place[] = [
      { at: 'start' },
      { at: 'after', id: pick() },
      { at: 'into', id: pick(), outcome: bodies[random(bodies.length)] ?? 'body' },
    ]
    const place = places[random(3)] ?? { at: 'start' }
    const type = types[random(types.length)] ?? 'log'
    const choices: (() => Operation | null)[] = [
      () => ({ kind: 'addActivity', activity: activity(freeIdFor(document, type), type), place }),
      () => ({ kind: 'moveActivity', id: pick(), place }),
      () => (document.activities.length > 30 ? { kind: 'removeActivity', id: pick() } : null),
      () => ({ kind: 'duplicateActivity', id: pick() }),
      () => moveUp(document, pick()),
      () => moveDown(document, pick()),
      () => indent(document, pick()),
      () => outdent(document, pick()),
      () => ({ kind: 'paste', fragment: copyActivities(document, [pick(), pick()]), place }),
    ]
    const operation = choices[random(choices.length)]?.()
    if (!operation) continue
    try {
      document = freeze(apply(document, operation))
      applied += 1
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
    }
    const structural = validate(document).filter(
      ({ code, severity }) =>
        code.startsWith('workflow.') &&
        severity === 'error' &&
        code !== 'workflow.too_deep' &&
        code !== 'workflow.empty',
    )
    expect([operation.kind, structural]).toEqual([operation.kind, []])
    const steps = outlineOf(document).flatMap((row) => (row.kind === 'step' ? [row.activity.id] : []))
    expect(steps.sort()).toEqual(document.activities.map(({ id }) => id).sort())
    if (document.activities.length > 60) document = freeze(tree())
  }
  expect(applied).toBeGreaterThan(300)
})
