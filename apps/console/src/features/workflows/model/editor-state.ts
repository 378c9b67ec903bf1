import type { WorkflowDocument } from '@weft/workflow/document'
import { changedTo, createHistory, redo, undo } from '@weft/workflow/history'
import type { History } from '@weft/workflow/history'
import { OperationError } from '@weft/workflow/operations'
import { outlineOf } from '@weft/workflow/outline'
import type { OutlineRow } from '@weft/workflow/outline'
import { sameDocument } from './merge/same.ts'
import { rowKey } from './rows.ts'

/** Changes of one thing within this time are one step of undo: it takes back a phrase and not a letter. */
const BURST_MS = 1500

/** Something to tell the author once. */
export interface Notice {
  code: string
  params: Record<string, string | number>
}

/** The editor: what the server has, what is being made of it, and where the author is. */
export interface EditorState {
  base: { version: number; document: WorkflowDocument }
  history: History
  lastEditAt: number
  /** The key of the row that has the keyboard's focus. */
  focus: string | null
  /** Where a selection by Shift began. */
  anchor: string | null
  selected: ReadonlySet<string>
  folded: ReadonlySet<string>
  notice: Notice | null
}

/** A change of the editor. */
export type Update = (state: EditorState) => EditorState

/** Begins to edit what the server has; with `draft`, unsaved work on it goes on. */
export function startEditing(
  version: number,
  server: WorkflowDocument,
  draft?: WorkflowDocument,
): EditorState {
  const present = draft ?? server
  const first = outlineOf(present)[0]
  return {
    base: { version, document: server },
    history: createHistory(present),
    lastEditAt: 0,
    focus: first ? rowKey(first) : null,
    anchor: null,
    selected: new Set(first?.kind === 'step' ? [first.activity.id] : []),
    folded: new Set(),
    notice: null,
  }
}

/** The document as it is now. */
export const documentOf = (state: EditorState): WorkflowDocument => state.history.present

/** Whether there is anything to save. */
export function isDirty({ base, history }: EditorState): boolean {
  return history.present !== base.document && !sameDocument(history.present, base.document)
}

/** The rows of the outline. */
export const rowsOf = (state: EditorState): readonly OutlineRow[] => outlineOf(documentOf(state))

/** Puts a new document in place as one step of undo; with the same `group` in quick succession it joins the last. */
export function edit(
  state: EditorState,
  document: WorkflowDocument,
  options: { at: number; group?: string; focus?: string | null; notice?: Notice },
): EditorState {
  const { history } = state
  if (document === history.present) return options.notice ? { ...state, notice: options.notice } : state
  const { at, group = null } = options
  const joins = group !== null && history.group === group && at - state.lastEditAt < BURST_MS
  const next = changedTo(history, document, group, joins)
  const edited = { ...state, history: next, lastEditAt: at, notice: options.notice ?? state.notice }
  return options.focus === undefined ? keepFocus(edited, state) : focusRow(edited, options.focus)
}

/** Runs an edit that may not fit the document; then the state is as it was and says why. */
export function attempt(state: EditorState, work: () => EditorState): EditorState {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    return { ...state, notice: { code: error.code, params: error.params } }
  }
}

/** Moves the focus to a row and selects its step; folded rows around it open. */
export function focusRow(state: EditorState, key: string | null): EditorState {
  const rows = rowsOf(state)
  const index = rows.findIndex((row) => rowKey(row) === key)
  const row = rows[index]
  if (!row) return keepFocus(state)
  let { folded } = state
  let depth = row.depth
  for (let at = index - 1; at >= 0 && folded.size > 0; at -= 1) {
    const above = rows[at]
    if (!above || above.depth >= depth) continue
    depth = above.depth
    // What is drawn from it is drawn anew for another set, so there is one only where something opens.
    const opened = rowKey(above)
    if (folded.has(opened)) folded = new Set([...folded].filter((one) => one !== opened))
  }
  return {
    ...state,
    focus: rowKey(row),
    anchor: null,
    selected: new Set(row.kind === 'step' ? [row.activity.id] : []),
    folded,
  }
}

/**
 * After the document changed by itself (undo, merge): the focus and the selection keep what is still there. Where the row
 * with the focus is gone, what now stands in its place gets it.
 */
export function keepFocus(state: EditorState, before: EditorState = state): EditorState {
  const rows = rowsOf(state)
  const keys = new Set(rows.map(rowKey))
  const selected = new Set([...state.selected].filter((id) => keys.has(id)))
  if (state.focus !== null && keys.has(state.focus)) return { ...state, selected }
  const index = rowsOf(before).findIndex((row) => rowKey(row) === before.focus)
  const row = rows[Math.min(Math.max(0, index), rows.length - 1)]
  return {
    ...state,
    focus: row ? rowKey(row) : null,
    anchor: null,
    selected: selected.size > 0 || row?.kind !== 'step' ? selected : new Set([row.activity.id]),
  }
}

/** Takes the last change back. */
export const undoEdit: Update = (state) => keepFocus({ ...state, history: undo(state.history) }, state)

/** Makes it again. */
export const redoEdit: Update = (state) => keepFocus({ ...state, history: redo(state.history) }, state)

/** The draft was saved: what was sent is now what the server has. Edits made meanwhile stay unsaved. */
export function saved(state: EditorState, version: number, document: WorkflowDocument): EditorState {
  return { ...state, base: { version, document } }
}

/** Takes over what the server has, with the author's changes merged into it. */
export function rebased(
  state: EditorState,
  version: number,
  server: WorkflowDocument,
  merged: WorkflowDocument,
  at: number,
): EditorState {
  return { ...edit(state, merged, { at }), base: { version, document: server } }
}
