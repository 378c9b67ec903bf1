import type { WorkflowDocument } from './document.ts'
import { apply } from './operations.ts'
import type { Operation } from './operations.ts'

/**
 * A document with its past and its undone future. It keeps whole documents: they share what did not change, so undo is
 * exact for every operation and costs little.
 */
export interface History {
  readonly past: readonly WorkflowDocument[]
  readonly present: WorkflowDocument
  readonly future: readonly WorkflowDocument[]
  /** Changes with the same key in a row are one step of undo, such as letters typed into one field. */
  readonly group: string | null
}

/** Begins a history. */
export function createHistory(document: WorkflowDocument): History {
  return { past: [], present: document, future: [], group: null }
}

/** Applies an operation. Throws `OperationError`, and then the history is as it was. */
export function change(history: History, operation: Operation, group: string | null = null): History {
  return changedTo(history, apply(history.present, operation), group)
}

/** Puts a new document in place; it joins the last change where `joins` says so, as one step of undo. */
export function changedTo(
  history: History,
  present: WorkflowDocument,
  group: string | null = null,
  joins = group !== null && group === history.group,
): History {
  if (present === history.present) return history
  const past = joins ? history.past : [...history.past, history.present]
  return { past, present, future: [], group }
}

/** Goes one step back. */
export function undo(history: History): History {
  const before = history.past.at(-1)
  if (!before) return history
  const future = [history.present, ...history.future]
  return { past: history.past.slice(0, -1), present: before, future, group: null }
}

/** Goes one step forward again. */
export function redo(history: History): History {
  const [after, ...future] = history.future
  if (!after) return history
  return { past: [...history.past, history.present], present: after, future, group: null }
}
