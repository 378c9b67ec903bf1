import { Position, type NodeHandle } from '@xyflow/react'
import { CANVAS, type Piece } from '../../model/canvas/layout.ts'

/** Where the line to what comes after leaves a piece. */
export const NEXT = 'next'
/** Where the line to the first step of a body leaves its heading. */
export const bodyHandle = (outcome: string) => `body ${outcome}`

/** The points of a piece where lines come in and go out. */
export function handlesOf(piece: Piece): NodeHandle[] {
  const middle = piece.width / 2
  const next = { id: NEXT, type: 'source', position: Position.Bottom, x: middle, y: piece.height } as const
  if (piece.kind === 'begin') return [next]
  // Of a container the line leads to its card.
  const top = piece.kind === 'container' ? CANVAS.padding : 0
  const bodies = piece.kind === 'container' ? piece.bodies : []
  return [
    { type: 'target', position: Position.Top, x: middle, y: top },
    next,
    ...bodies.map(({ x, y, width, outcome }) => ({
      id: bodyHandle(outcome.name),
      type: 'source' as const,
      position: Position.Bottom,
      x: x + width / 2,
      y: y + CANVAS.heading,
    })),
  ]
}
