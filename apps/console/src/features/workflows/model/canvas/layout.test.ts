import { describe, expect, test } from 'vitest'
import { emptyDocument } from '@weft/workflow/document'
import { sketch, type StepSketch } from '@weft/workflow/testing/builder'
import { boxesOf, layoutOf, nearestPlace, spotId, type CanvasNode, type Piece } from './layout.ts'
import { samePiece } from './same-piece.ts'

const log = (id: string): StepSketch => ({ id, type: 'log', state: { message: id } })
const document = sketch([
  log('first'),
  {
    id: 'choice',
    type: 'condition',
    state: { condition: 'true' },
    bodies: { true: [log('yes'), log('yes_too')], false: [] },
  },
  {
    id: 'loop',
    type: 'for-each',
    state: { items: 'inputs.rows' },
    bodies: { body: [{ id: 'inner', type: 'for-each', state: {}, bodies: { body: [log('deep')] } }] },
  },
  { id: 'end', type: 'finish' },
])
const none: ReadonlySet<string> = new Set()

/** Pairs of pieces that lie over each other, though neither holds the other. */
function overlaps(nodes: readonly CanvasNode[]): string[] {
  const boxes = boxesOf(nodes)
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]))
  const holds = (outer: string, inner: string): boolean => {
    for (let at = parents.get(inner); at; at = parents.get(at)) if (at === outer) return true
    return false
  }
  const found: string[] = []
  for (const [a, one] of boxes)
    for (const [b, other] of boxes) {
      if (a >= b || holds(a, b) || holds(b, a)) continue
      const apart =
        one.x + one.width <= other.x ||
        other.x + other.width <= one.x ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y
      if (!apart) found.push(`${a} and ${b}`)
    }
  return found
}

describe('the places of a document', () => {
  test('every step is there once, in what it lies in, over nothing else', () => {
    const { nodes, lines } = layoutOf(document, none, false)
    const steps = nodes.filter((node) => node.kind === 'step' || node.kind === 'container')
    expect(steps.map(({ id, parent }) => `${parent ?? ''}/${id}`)).toEqual([
      '/first',
      '/choice',
      'choice/yes',
      'choice/yes_too',
      '/loop',
      'loop/inner',
      'inner/deep',
      '/end',
    ])
    expect(overlaps(nodes)).toEqual([])
    const boxes = boxesOf(nodes)
    for (const { id, parent } of nodes) {
      const [box, around] = [boxes.get(id), parent === null ? undefined : boxes.get(parent)]
      if (!box || !around) continue
      expect(box.x).toBeGreaterThanOrEqual(around.x)
      expect(box.x + box.width).toBeLessThanOrEqual(around.x + around.width)
      expect(box.y + box.height).toBeLessThanOrEqual(around.y + around.height)
    }
    expect(lines.map(({ from, outcome, to }) => `${from} ${outcome ?? '-'} ${to}`)).toEqual([
      'begin - first',
      'first - choice',
      'yes - yes_too',
      'choice true yes',
      'choice - loop',
      'inner body deep',
      'loop body inner',
      'loop - end',
    ])
  })

  test('a spot stands wherever a step can be put, and nowhere else', () => {
    const places = layoutOf(document, none, false).nodes.flatMap((node) =>
      node.kind === 'spot' ? [node.id] : [],
    )
    expect(places).toContain('spot start')
    expect(places).toContain('spot into choice/false')
    expect(places).toContain('spot after deep')
    // Nothing can follow the end.
    expect(places).not.toContain('spot after end')
    expect(new Set(places).size).toBe(places.length)
  })

  test('from right to left the bodies begin at the other side, and are still read in their order', () => {
    const choice = (rtl: boolean) => {
      const found = layoutOf(document, none, rtl).nodes.find(({ id }) => id === 'choice')
      return found?.kind === 'container' ? found.bodies : []
    }
    const [yes, no] = choice(false)
    const [yesRtl, noRtl] = choice(true)
    expect([yes?.outcome.name, yesRtl?.outcome.name]).toEqual(['true', 'true'])
    expect(yes?.x).toBeLessThan(no?.x ?? 0)
    expect(yesRtl?.x).toBeGreaterThan(noRtl?.x ?? 0)
    expect(overlaps(layoutOf(document, none, true).nodes)).toEqual([])
  })

  test('what is folded says how much is in it', () => {
    const { nodes } = layoutOf(document, new Set(['loop', 'choice/true']), false)
    const loop = nodes.find(({ id }) => id === 'loop')
    expect(loop).toMatchObject({ kind: 'step', hidden: 2 })
    const choice = nodes.find(({ id }) => id === 'choice')
    expect(choice).toMatchObject({ kind: 'container' })
    if (choice?.kind === 'container') expect(choice.bodies.map(({ hidden }) => hidden)).toEqual([2, 0])
    expect(nodes.map(({ id }) => id)).not.toContain('deep')
    expect(overlaps(nodes)).toEqual([])
  })

  test('what is never reached stands beside, a broken document is drawn once', () => {
    const lost = { id: 'lost', type: 'log', typeVersion: 1, state: {} }
    const broken = { ...document, activities: [...document.activities, lost] }
    const { nodes } = layoutOf(broken, none, false)
    expect(nodes.find(({ id }) => id === 'lost')).toMatchObject({ unreachable: true })
    expect(overlaps(nodes)).toEqual([])
    const circle = {
      ...document,
      start: null,
      connections: [
        { from: 'first', outcome: 'done', to: 'end' },
        { from: 'end', outcome: 'done', to: 'first' },
      ],
    }
    const drawn = layoutOf(circle, none, false).nodes.filter(({ kind }) => kind !== 'spot')
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(drawn.length)
  })

  test('of an empty document there is the beginning', () => {
    const { nodes, lines } = layoutOf(emptyDocument(), none, false)
    expect(nodes.map(({ id }) => id)).toEqual(['begin', 'spot start'])
    expect(lines).toEqual([])
  })
})

test('a point finds the place that is near it', () => {
  const { nodes } = layoutOf(document, none, false)
  const box = boxesOf(nodes).get(spotId({ at: 'into', id: 'choice', outcome: 'false' }))
  const point = { x: (box?.x ?? 0) + 30, y: (box?.y ?? 0) + 5 }
  expect(nearestPlace(nodes, point, 80)).toEqual({ at: 'into', id: 'choice', outcome: 'false' })
  expect(nearestPlace(nodes, { x: -4000, y: 0 }, 80)).toBeNull()
  expect(nearestPlace(nodes, point, 80, () => false)).toBeNull()
})

test('a piece is the same until something that is seen of it changes', () => {
  const pieces = (folded: ReadonlySet<string>, of = document) =>
    new Map(
      layoutOf(of, folded, false)
        .nodes.filter((node): node is Piece => node.kind !== 'spot')
        .map((node) => [node.id, node]),
    )
  const changed = (after: Map<string, Piece>) =>
    [...pieces(none)].flatMap(([id, piece]) => {
      const other = after.get(id)
      return other && samePiece(piece, other) ? [] : [id]
    })
  expect(changed(pieces(none))).toEqual([])
  expect(changed(pieces(new Set(['choice/true'])))).toEqual(['choice', 'yes', 'yes_too'])
  const renamed = {
    ...document,
    activities: document.activities.map((one) => (one.id === 'deep' ? { ...one, name: 'Deep' } : one)),
  }
  expect(changed(pieces(none, renamed))).toEqual(['deep'])
})
