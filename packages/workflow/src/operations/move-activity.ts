import type { WorkflowDocument } from '../document.ts'
import { OperationError } from './error.ts'
import { detach, insertChain, requireActivity, subtreeIds } from './tree.ts'
import type { Place } from './tree.ts'

/** Takes a step with its bodies to another place. */
export interface MoveActivity {
  kind: 'moveActivity'
  id: string
  place: Place
}

/** Takes a step with its bodies to another place. */
export function moveActivity(document: WorkflowDocument, { id, place }: MoveActivity): WorkflowDocument {
  requireActivity(document, id)
  if (place.at !== 'start' && subtreeIds(document, id).has(place.id)) {
    throw new OperationError('operation.into_itself', { step: id })
  }
  return insertChain(detach(document, id), id, id, place)
}
