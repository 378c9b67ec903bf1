import { useMemo, useState } from 'react'
import { MarkerType, type Edge, type XYPosition } from '@xyflow/react'
import { NEXT, bodyHandle, handlesOf } from './handles.ts'
import type { Activity } from '@weft/workflow/document'
import type { Place } from '@weft/workflow/operations'
import type { Problem } from '@weft/workflow/validate'
import { layoutOf, spotId, type CanvasLayout, type Piece } from '../../model/canvas/layout.ts'
import { samePiece } from '../../model/canvas/same-piece.ts'
import { useEditor, useEditorState } from '../context.ts'
import type { FlowNode } from './nodes.tsx'

/** Steps that are being dragged, and where they would land. */
export interface Drag {
  at: ReadonlyMap<string, XYPosition>
  place: Place | null
}

const NO_PROBLEMS: readonly Problem[] = []
/** From layer to layer: what lies in a container is above its lines, and these are above the container. */
const LAYER = 2
const TOP = 1000

/** The document as what the drawing library draws. */
export function useFlow(
  rtl: boolean,
  drag: Drag | null,
): { layout: CanvasLayout; nodes: FlowNode[]; edges: Edge[] } {
  const state = useEditorState()
  const { document, problemsOf, readOnly } = useEditor()
  const layout = useMemo(() => layoutOf(document, state.folded, rtl), [document, state.folded, rtl])
  const spots = useMemo(() => spotsOf(layout), [layout])
  const nodes = useMemo(() => {
    const made = new Map<string, FlowNode>()
    const wanted = drag?.place ? ownerOf(drag.place) : null
    for (const node of layout.nodes) {
      if (node.kind === 'spot') continue
      const around = node.parent === null ? undefined : made.get(node.parent)
      const isStep = node.kind !== 'begin'
      const way = drag?.at.get(node.id)
      made.set(
        node.id,
        drawnOnce(node, {
          id: node.id,
          type: node.kind,
          position: way ?? { x: node.x, y: node.y },
          width: node.width,
          height: node.height,
          // Known beforehand, so that nothing has to be drawn to be measured.
          measured: { width: node.width, height: node.height },
          handles: handlesOf(node),
          ...(node.parent === null ? {} : { parentId: node.parent }),
          zIndex: way ? TOP : (around?.zIndex ?? -1) + LAYER,
          selected: isStep && state.selected.has(node.id),
          selectable: isStep,
          draggable: isStep && !readOnly,
          // What lies between the bodies of a container belongs to the canvas: it is dragged and pointed through.
          ...(node.kind === 'container' ? { style: THROUGH } : {}),
          ...(way ? { className: 'on-its-way' } : {}),
          data: {
            node,
            focus: focusIn(node, state.focus),
            problems: isStep ? problemsOf(node.activity.id) : NO_PROBLEMS,
            spots: spots.get(node.id) ?? NO_SPOTS,
            wanted: node.id === wanted && drag?.place ? spotId(drag.place) : null,
          },
        }),
      )
    }
    return [...made.values()]
  }, [layout, spots, state.selected, state.focus, problemsOf, readOnly, drag])

  const drawnEdges = useMemo(() => {
    const layers = new Map(nodes.map(({ id, zIndex }) => [id, zIndex ?? 0]))
    return layout.lines.flatMap((line) =>
      // A step that is on its way is between no others.
      drag?.at.has(line.from) === true || drag?.at.has(line.to) === true
        ? []
        : [lineOnce(line, (layers.get(line.to) ?? 1) - 1)],
    )
  }, [layout, nodes, drag])
  return { layout, nodes, edges: useSameList(drawnEdges) }
}

const THROUGH = { pointerEvents: 'none' } as const
const NO_SPOTS: readonly Place[] = []

/** By what stays the same object until the step is changed. */
const drawn = new WeakMap<Activity, FlowNode>()

/** What was made of a step before, where nothing about it has changed: then it is not drawn again. */
function drawnOnce(piece: Piece, now: FlowNode): FlowNode {
  if (piece.kind === 'begin') return now
  const before = drawn.get(piece.activity)
  if (before && same(before, now)) return before
  drawn.set(piece.activity, now)
  return now
}

function same(a: FlowNode, b: FlowNode): boolean {
  return (
    a.position.x === b.position.x &&
    a.position.y === b.position.y &&
    a.parentId === b.parentId &&
    a.zIndex === b.zIndex &&
    a.selected === b.selected &&
    a.draggable === b.draggable &&
    a.className === b.className &&
    a.data.focus === b.data.focus &&
    a.data.problems === b.data.problems &&
    a.data.wanted === b.data.wanted &&
    a.data.spots.map(spotId).join() === b.data.spots.map(spotId).join() &&
    samePiece(a.data.node, b.data.node)
  )
}

/** The places that stand with each piece. */
function spotsOf(layout: CanvasLayout): Map<string, Place[]> {
  const spots = new Map<string, Place[]>()
  for (const node of layout.nodes) {
    if (node.kind !== 'spot') continue
    const owner = ownerOf(node.place)
    spots.set(owner, [...(spots.get(owner) ?? []), node.place])
  }
  return spots
}

const ownerOf = (place: Place) => (place.at === 'start' ? 'begin' : place.id)

function focusIn(node: Piece, focus: string | null): string | null {
  if (focus === null || node.id === focus) return focus
  return node.kind === 'container' && node.bodies.some(({ key }) => key === focus) ? focus : null
}

/** Lines by what they say: the drawing library looks only at those that are other objects than before. */
const lines = new Map<string, Edge>()
const MANY_LINES = 5000

function lineOnce(line: CanvasLayout['lines'][number], zIndex: number): Edge {
  const key = `${line.id}\n${line.from}\n${line.outcome ?? ''}\n${line.to}\n${zIndex}`
  const known = lines.get(key)
  if (known) return known
  if (lines.size > MANY_LINES) lines.clear()
  const edge = edgeOf(line, zIndex)
  lines.set(key, edge)
  return edge
}

function edgeOf({ id, from, outcome, to }: CanvasLayout['lines'][number], zIndex: number): Edge {
  return {
    id,
    source: from,
    target: to,
    sourceHandle: outcome === null ? NEXT : bodyHandle(outcome),
    type: 'straight',
    focusable: false,
    selectable: false,
    zIndex,
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
  }
}

/** The list of before where the new one holds the same: the drawing library goes through each new one. */
function useSameList<T>(list: T[]): T[] {
  const [held, setHeld] = useState(list)
  if (held === list) return held
  if (held.length === list.length && held.every((one, index) => one === list[index])) return held
  setHeld(list)
  return list
}
