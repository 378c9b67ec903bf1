import { outcomesOf } from '../catalogue/catalogue.ts'
import type { WorkflowDocument } from '../document.ts'
import { OperationError } from './error.ts'
import { requireActivity } from './tree.ts'

/** Draws a line, as a canvas does. It refuses what would be no tree. */
export interface Connect {
  kind: 'connect'
  from: string
  outcome: string
  to: string
}

/** Draws a line, as a canvas does. It refuses what would be no tree. */
export function connect(document: WorkflowDocument, { from, outcome, to }: Connect): WorkflowDocument {
  const source = requireActivity(document, from)
  requireActivity(document, to)
  if (!outcomesOf(source).some(({ name }) => name === outcome)) {
    throw new OperationError('operation.unknown_outcome', { step: from, outcome })
  }
  const { connections } = document
  if (connections.some((connection) => connection.from === from && connection.outcome === outcome)) {
    throw new OperationError('operation.outcome_taken', { step: from, outcome })
  }
  if (to === document.start || connections.some((connection) => connection.to === to)) {
    throw new OperationError('operation.already_reached', { step: to })
  }
  const seen = new Set<string>()
  for (let at: string | undefined = from; at !== undefined && !seen.has(at);) {
    if (at === to) throw new OperationError('operation.cycle', { step: to })
    seen.add(at)
    at = connections.find((connection) => connection.to === at)?.from
  }
  return { ...document, connections: [...connections, { from, outcome, to }] }
}

/** Takes a line away; what it led to is unreachable until it is connected again. */
export interface Disconnect {
  kind: 'disconnect'
  from: string
  outcome: string
}

/** Takes a line away. */
export function disconnect(document: WorkflowDocument, { from, outcome }: Disconnect): WorkflowDocument {
  const connections = document.connections.filter(
    (connection) => connection.from !== from || connection.outcome !== outcome,
  )
  if (connections.length === document.connections.length) {
    throw new OperationError('operation.not_connected', { step: from, outcome })
  }
  return { ...document, connections }
}

/** Says which step comes first; nothing may lead to it. */
export interface SetStart {
  kind: 'setStart'
  id: string | null
}

/** Says which step comes first. */
export function setStart(document: WorkflowDocument, { id }: SetStart): WorkflowDocument {
  if (id !== null) {
    requireActivity(document, id)
    if (document.connections.some(({ to }) => to === id)) {
      throw new OperationError('operation.already_reached', { step: id })
    }
  }
  return { ...document, start: id }
}
