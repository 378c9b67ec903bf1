import type { WorkflowDocument } from './document.ts'
import { addActivity } from './operations/add-activity.ts'
import type { AddActivity } from './operations/add-activity.ts'
import { connect, disconnect, setStart } from './operations/connect.ts'
import type { Connect, Disconnect, SetStart } from './operations/connect.ts'
import { moveActivity } from './operations/move-activity.ts'
import type { MoveActivity } from './operations/move-activity.ts'
import { duplicateActivity, paste } from './operations/paste.ts'
import type { DuplicateActivity, Paste } from './operations/paste.ts'
import { removeActivity } from './operations/remove-activity.ts'
import type { RemoveActivity } from './operations/remove-activity.ts'
import { renameActivity } from './operations/rename-activity.ts'
import type { RenameActivity } from './operations/rename-activity.ts'
import { setInputs, setSettings, setVariables } from './operations/set-declarations.ts'
import type { SetInputs, SetSettings, SetVariables } from './operations/set-declarations.ts'
import { updateActivity } from './operations/update-activity.ts'
import type { UpdateActivity } from './operations/update-activity.ts'

export { OperationError } from './operations/error.ts'
export type { OperationErrorCode } from './operations/error.ts'
export { copyActivities, readFragment } from './operations/paste.ts'
export type { Fragment } from './operations/paste.ts'
export { freeIdFor } from './operations/tree.ts'
export type { Place } from './operations/tree.ts'

/** Every way in which a document changes. */
export type Operation =
  | AddActivity
  | RemoveActivity
  | MoveActivity
  | UpdateActivity
  | RenameActivity
  | DuplicateActivity
  | Paste
  | Connect
  | Disconnect
  | SetStart
  | SetInputs
  | SetVariables
  | SetSettings

type Handlers = {
  [K in Operation['kind']]: (
    document: WorkflowDocument,
    operation: Extract<Operation, { kind: K }>,
  ) => WorkflowDocument
}

const handlers: Handlers = {
  addActivity,
  removeActivity,
  moveActivity,
  updateActivity,
  renameActivity,
  duplicateActivity,
  paste,
  connect,
  disconnect,
  setStart,
  setInputs,
  setVariables,
  setSettings,
}

/** Applies an operation and gives the new document; the old one is not touched. Throws `OperationError`. */
export function apply(document: WorkflowDocument, operation: Operation): WorkflowDocument {
  // The record has a handler for exactly this kind; the compiler cannot follow a union through an index.
  const handler = handlers[operation.kind] as (
    document: WorkflowDocument,
    operation: Operation,
  ) => WorkflowDocument
  return handler(document, operation)
}
