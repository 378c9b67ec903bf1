import { outcomesOf } from '@weft/workflow/catalogue/catalogue'
import type { Outcome } from '@weft/workflow/catalogue/activity'
import type { Activity, WorkflowDocument } from '@weft/workflow/document'
import { chainFrom, indexGraph, subtreeOf, type Graph } from '@weft/workflow/graph'
import type { Place } from '@weft/workflow/operations'
import { bodyKey } from '../rows.ts'

/** A place on the canvas; within a container it is counted from the container’s corner. */
interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A body as it stands within its container: a column with a heading. */
export interface CanvasBody extends Box {
  key: string
  outcome: Outcome
  empty: boolean
  /** How many steps are folded away in it. */
  hidden: number
}

/** What is drawn as a piece of its own. */
export type CanvasNode = Box & { id: string; parent: string | null } & (
    | { kind: 'begin' }
    | { kind: 'step'; activity: Activity; unreachable: boolean; hidden: number | null }
    | { kind: 'container'; activity: Activity; unreachable: boolean; bodies: CanvasBody[] }
    | { kind: 'spot'; place: Place }
  )

/** What is a piece of its own to the drawing library; spots are drawn with the piece that they stand with. */
export type Piece = Exclude<CanvasNode, { kind: 'spot' }>

/** A line from a step, or from the heading of a body, to the step that comes next. */
export interface CanvasLine {
  id: string
  from: string
  /** The body that it leaves by; null for what comes after. */
  outcome: string | null
  to: string
}

/** A document as it is drawn. */
export interface CanvasLayout {
  nodes: CanvasNode[]
  lines: CanvasLine[]
  width: number
  height: number
}

/** Sizes of what is drawn, in pixels at a zoom of 1. */
export const CANVAS = {
  step: { width: 236, height: 56 },
  begin: { width: 76, height: 26 },
  spot: 22,
  /** Between two steps, with room for the spot in its midst. */
  gap: 42,
  heading: 26,
  padding: 14,
  columns: 12,
  emptyBody: 156,
  /** Between the chain that is run and those that are not. */
  loose: 72,
} as const

const BEGIN = 'begin'

interface Block {
  activity: Activity
  width: number
  height: number
  /** Null for a step without bodies. */
  columns: Column[] | null
  /** How many steps are folded away. */
  hidden: number | null
  followable: boolean
}

interface Column {
  key: string
  outcome: Outcome
  width: number
  blocks: Block[]
  hidden: number
  empty: boolean
}

/**
 * Places a document’s steps: a chain runs downwards, the bodies of a container stand beside each other within it. The
 * document is a tree, so that its steps have a tidy place by themselves and none needs to be kept. `rtl` has the bodies
 * begin at the right.
 */
export function layoutOf(
  document: Pick<WorkflowDocument, 'start' | 'activities' | 'connections'>,
  folded: ReadonlySet<string>,
  rtl: boolean,
): CanvasLayout {
  const measure = new Measure(indexGraph(document), folded)
  const main = measure.chain(measure.graph.start ?? undefined)
  const left = document.activities.filter(({ id }) => !measure.seen.has(id))
  const heads = left.filter(({ id }) => measure.graph.incoming(id) === undefined)
  const loose = [...heads, ...left].flatMap(({ id }) => {
    const blocks = measure.seen.has(id) ? [] : measure.chain(id)
    return blocks.length > 0 ? [blocks] : []
  })

  const chains = rtl ? [...loose.toReversed(), main] : [main, ...loose]
  const drawing = new Drawing(rtl)
  let x = 0
  let height = 0
  for (const blocks of chains) {
    const width = widthOf(blocks)
    const middle = x + width / 2
    const isMain = blocks === main
    if (isMain) drawing.begin(middle, main[0])
    const top = CANVAS.begin.height + CANVAS.gap
    height = Math.max(height, drawing.chain(blocks, { middle, top, parent: null, unreachable: !isMain }))
    x += width + CANVAS.loose
  }
  return { nodes: drawing.nodes, lines: drawing.lines, width: x - CANVAS.loose, height }
}

/** Finds out how much room everything needs, from the inside outwards. */
class Measure {
  readonly graph: Graph
  readonly seen = new Set<string>()
  readonly #folded: ReadonlySet<string>

  constructor(graph: Graph, folded: ReadonlySet<string>) {
    this.graph = graph
    this.#folded = folded
  }

  chain(first: string | undefined): Block[] {
    const blocks: Block[] = []
    for (const activity of chainFrom(this.graph, first)) {
      // A broken document may lead to the same step twice; it is drawn once.
      if (this.seen.has(activity.id)) break
      this.seen.add(activity.id)
      blocks.push(this.#block(activity))
    }
    return blocks
  }

  #block(activity: Activity): Block {
    const outcomes = outcomesOf(activity)
    const followable = outcomes.some(({ kind }) => kind !== 'body')
    const bodies = outcomes.filter(({ kind }) => kind === 'body')
    if (bodies.length === 0) return { activity, ...CANVAS.step, columns: null, hidden: null, followable }
    if (this.#folded.has(activity.id)) {
      const inner = subtreeOf(this.graph, activity.id)
      for (const { id } of inner) this.seen.add(id)
      return { activity, ...CANVAS.step, columns: null, hidden: inner.length - 1, followable }
    }
    const columns = bodies.map((outcome) => this.#column(activity, outcome))
    const inner = columns.reduce((sum, { width }) => sum + width, (columns.length - 1) * CANVAS.columns)
    const tallest = Math.max(...columns.map(({ blocks }) => heightOfBody(blocks)))
    return {
      activity,
      width: Math.max(inner, CANVAS.step.width) + 2 * CANVAS.padding,
      height: CANVAS.step.height + 3 * CANVAS.padding + tallest,
      columns,
      hidden: null,
      followable,
    }
  }

  #column(owner: Activity, outcome: Outcome): Column {
    const key = bodyKey(owner.id, outcome.name)
    const first = this.graph.next(owner.id, outcome.name)
    const shared = { key, outcome, empty: first === undefined }
    if (!this.#folded.has(key)) {
      const blocks = this.chain(first)
      const width = Math.max(widthOf(blocks) + 2 * CANVAS.padding, CANVAS.emptyBody)
      return { ...shared, blocks, hidden: 0, width }
    }
    const inside = chainFrom(this.graph, first).flatMap(({ id }) => subtreeOf(this.graph, id))
    for (const { id } of inside) this.seen.add(id)
    return { ...shared, blocks: [], hidden: inside.length, width: CANVAS.emptyBody }
  }
}

function widthOf(blocks: readonly Block[]): number {
  return Math.max(0, ...blocks.map(({ width }) => width)) || (blocks.length === 0 ? CANVAS.step.width : 0)
}

function heightOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { height }) => sum + height, Math.max(0, blocks.length - 1) * CANVAS.gap)
}

/** The heading, room for a spot before the first step, the steps, and room for one after the last. */
function heightOfBody(blocks: readonly Block[]): number {
  return CANVAS.heading + CANVAS.gap + (blocks.length > 0 ? heightOf(blocks) + CANVAS.gap : 0)
}

/** Gives everything its place, from the outside inwards. */
class Drawing {
  readonly nodes: CanvasNode[] = []
  readonly lines: CanvasLine[] = []
  readonly #rtl: boolean

  constructor(rtl: boolean) {
    this.#rtl = rtl
  }

  begin(middle: number, first: Block | undefined): void {
    const { width, height } = CANVAS.begin
    this.nodes.push({ id: BEGIN, parent: null, kind: 'begin', x: middle - width / 2, y: 0, width, height })
    this.#spot({ at: 'start' }, middle, height, null)
    if (first) this.lines.push({ id: 'start', from: BEGIN, outcome: null, to: first.activity.id })
  }

  /** Places a chain with its middle at `middle`; gives where it ends. */
  chain(
    blocks: readonly Block[],
    at: { middle: number; top: number; parent: string | null; unreachable: boolean },
  ): number {
    let y = at.top
    for (const [index, block] of blocks.entries()) {
      const { id } = block.activity
      this.#block(block, { ...at, y })
      y += block.height
      if (block.followable) this.#spot({ at: 'after', id }, at.middle, y, at.parent)
      const next = blocks[index + 1]
      if (next) this.lines.push({ id: `after ${id}`, from: id, outcome: null, to: next.activity.id })
      y += CANVAS.gap
    }
    return y
  }

  #block(
    { activity, width, height, columns, hidden }: Block,
    at: { middle: number; y: number; parent: string | null; unreachable: boolean },
  ): void {
    const { parent, unreachable } = at
    const shared = { id: activity.id, parent, activity, unreachable, width, height, y: at.y }
    const x = at.middle - width / 2
    if (!columns) {
      this.nodes.push({ ...shared, kind: 'step', x, hidden })
      return
    }
    const bodies: CanvasBody[] = []
    this.nodes.push({ ...shared, kind: 'container', x, bodies })
    const inner = columns.reduce((sum, column) => sum + column.width, (columns.length - 1) * CANVAS.columns)
    const top = CANVAS.step.height + 2 * CANVAS.padding
    let left = (width - inner) / 2
    for (const column of this.#rtl ? columns.toReversed() : columns) {
      const { key, outcome, empty, blocks } = column
      const box = { x: left, y: top, width: column.width, height: height - top - CANVAS.padding }
      bodies.push({ ...box, key, outcome, empty, hidden: column.hidden })
      if (column.hidden === 0) this.#body(activity.id, column, left + column.width / 2, top, unreachable)
      const [first] = blocks
      if (first)
        this.lines.push({
          id: `into ${key}`,
          from: activity.id,
          outcome: outcome.name,
          to: first.activity.id,
        })
      left += column.width + CANVAS.columns
    }
    // Read and walked in their own order, on whichever side they begin.
    if (this.#rtl) bodies.reverse()
  }

  #body(owner: string, column: Column, middle: number, top: number, unreachable: boolean): void {
    const y = top + CANVAS.heading
    this.#spot({ at: 'into', id: owner, outcome: column.outcome.name }, middle, y, owner)
    this.chain(column.blocks, { middle, top: y + CANVAS.gap, parent: owner, unreachable })
  }

  /** A spot stands in the midst of the gap that begins at `top`. */
  #spot(place: Place, middle: number, top: number, parent: string | null): void {
    const { spot: size, gap } = CANVAS
    const id = spotId(place)
    const box = { x: middle - size / 2, y: top + (gap - size) / 2, width: size, height: size }
    this.nodes.push({ ...box, id, parent, kind: 'spot', place })
  }
}

/** The id of the spot of a place. */
export function spotId(place: Place): string {
  if (place.at === 'start') return 'spot start'
  return place.at === 'after' ? `spot after ${place.id}` : `spot into ${bodyKey(place.id, place.outcome)}`
}

/** Where everything lies on the whole canvas, by id. */
export function boxesOf(nodes: readonly CanvasNode[]): ReadonlyMap<string, Box> {
  const known = placed.get(nodes)
  if (known) return known
  const boxes = new Map<string, Box>()
  // A container comes before what is in it.
  for (const { id, parent, x, y, width, height } of nodes) {
    const around = parent === null ? undefined : boxes.get(parent)
    boxes.set(id, { x: x + (around?.x ?? 0), y: y + (around?.y ?? 0), width, height })
  }
  placed.set(nodes, boxes)
  return boxes
}

/** The boxes of each layout, which never changes. */
const placed = new WeakMap<readonly CanvasNode[], ReadonlyMap<string, Box>>()

/** The place whose spot is nearest to a point, no farther than `reach`, among those that `allowed` lets be. */
export function nearestPlace(
  nodes: readonly CanvasNode[],
  point: { x: number; y: number },
  reach: number,
  allowed: (place: Place) => boolean = () => true,
): Place | null {
  const boxes = boxesOf(nodes)
  let best: { place: Place; distance: number } | null = null
  for (const node of nodes) {
    if (node.kind !== 'spot' || !allowed(node.place)) continue
    const box = boxes.get(node.id) ?? node
    const distance = Math.hypot(box.x + box.width / 2 - point.x, box.y + box.height / 2 - point.y)
    if (distance <= reach && distance < (best?.distance ?? Infinity)) best = { place: node.place, distance }
  }
  return best?.place ?? null
}
