import type { CanvasBody, Piece } from './layout.ts'

/** Whether two drawings show a piece in the same way, wherever it stands. */
export function samePiece(a: Piece, b: Piece): boolean {
  if (a === b) return true
  if (a.width !== b.width || a.height !== b.height) return false
  if (a.kind === 'step')
    return (
      b.kind === 'step' &&
      a.activity === b.activity &&
      a.unreachable === b.unreachable &&
      a.hidden === b.hidden
    )
  if (a.kind === 'container')
    return (
      b.kind === 'container' &&
      a.activity === b.activity &&
      a.unreachable === b.unreachable &&
      a.bodies.length === b.bodies.length &&
      a.bodies.every((body, index) => sameBody(body, b.bodies[index]))
    )
  return a.kind === b.kind
}

function sameBody(a: CanvasBody, b: CanvasBody | undefined): boolean {
  return (
    b !== undefined &&
    a.key === b.key &&
    a.x === b.x &&
    a.width === b.width &&
    a.height === b.height &&
    a.empty === b.empty &&
    a.hidden === b.hidden
  )
}
