import { z } from 'zod'
import { workflowDocumentSchema } from '@weft/workflow/document'
import type { WorkflowDocument } from '@weft/workflow/document'

const PREFIX = 'Weft::WorkflowDraft'

const storedSchema = z.object({
  version: z.number().int(),
  at: z.number(),
  base: workflowDocumentSchema,
  document: workflowDocumentSchema,
})
/** Work that is not saved yet: what it was made on, and what it is now. */
export type LocalDraft = z.infer<typeof storedSchema>

/** The part of `Storage` that is used; tests give their own. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** This browser's store, or null where it is forbidden. */
export function browserStorage(): DraftStorage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}

/** Whose draft of which workflow in which tab. Drafts of one browser's users do not meet. */
export interface DraftPlace {
  userId: string
  workflowId: string
  tabId: string
}

const keyOf = ({ userId, workflowId, tabId }: DraftPlace) => `${PREFIX}::${userId}::${workflowId}::${tabId}`

/** Keeps unsaved work; false where the browser has no room for it or forbids it. */
export function keepDraft(storage: DraftStorage, place: DraftPlace, draft: LocalDraft): boolean {
  try {
    storage.setItem(keyOf(place), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

/** Forgets the unsaved work of a tab. */
export function forgetDraft(storage: DraftStorage, place: DraftPlace): void {
  try {
    storage.removeItem(keyOf(place))
  } catch {
    // Where storage is forbidden nothing was kept.
  }
}

/** The unsaved works on a workflow in this browser by tab, the newest first. What cannot be read is left out. */
export function findDrafts(
  storage: DraftStorage,
  place: Omit<DraftPlace, 'tabId'>,
): { tabId: string; draft: LocalDraft }[] {
  const prefix = keyOf({ ...place, tabId: '' })
  const found: { tabId: string; draft: LocalDraft }[] = []
  try {
    for (let index = 0; index < storage.length; index += 1) {
      const key = storage.key(index)
      if (!key?.startsWith(prefix)) continue
      const draft = readDraft(storage.getItem(key))
      if (draft) found.push({ tabId: key.slice(prefix.length), draft })
    }
  } catch {
    return found
  }
  return found.sort((a, b) => b.draft.at - a.draft.at)
}

function readDraft(text: string | null): LocalDraft | null {
  if (text === null) return null
  try {
    const parsed = storedSchema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** A draft as it is to be kept. */
export function draftOf(
  version: number,
  base: WorkflowDocument,
  document: WorkflowDocument,
  at: number,
): LocalDraft {
  return { version, base, document, at }
}
