import { createContext, useContext } from 'react'
import type { Workflow } from '@weft/contract/workflows/schema'
import type { Activity, WorkflowDocument } from '@weft/workflow/document'
import type { Problem } from '@weft/workflow/validate'
import type { EditorState, Update } from '../model/editor-state.ts'

/** What every part of the editor shares. */
export interface Editor {
  workflow: Workflow
  state: EditorState
  document: WorkflowDocument
  update: (change: Update) => void
  /** Puts a new document in place; edits with the same group in quick succession are one step of undo. */
  edit: (document: WorkflowDocument, group?: string) => void
  problems: Problem[]
  problemsOf: (stepId: string) => readonly Problem[]
  /** The person may look and not change. */
  readOnly: boolean
  dirty: boolean
  saving: boolean
  /** Saves what is not saved; gives the version that the server then has, or null where it could not. */
  save: () => Promise<number | null>
  /** Brings a step, and in it a field, before the author's eyes. */
  goTo: (stepId: string, field?: string | null) => void
  /** The field that `goTo` was asked for. */
  wanted: { stepId: string; field: string; seq: number } | null
}

/** The editor of the page. */
export const EditorContext = createContext<Editor | null>(null)

/** The editor around a component. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('A part of the editor stands outside of it.')
  return editor
}

/** The step that has the focus, if it is a step. */
export function focusedStep({ state, document }: Pick<Editor, 'state' | 'document'>): Activity | undefined {
  return document.activities.find(({ id }) => id === state.focus)
}
