import { createContext, useContext } from 'react'
import type { Workflow } from '@weft/contract/workflows/schema'
import type { Activity, WorkflowDocument } from '@weft/workflow/document'
import type { Problem } from '@weft/workflow/validate'
import type { Store } from '../../../lib/emitter.ts'
import { useValueOf } from '../../../lib/use-value-of.ts'
import { documentOf } from '../model/editor-state.ts'
import type { EditorState, Update } from '../model/editor-state.ts'

/** What every part of the editor shares. */
export interface Editor {
  workflow: Workflow
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

/** The editor of the page. It changes with the document, not with where the author is in it. */
export const EditorContext = createContext<Watched<Editor> | null>(null)
/** Where the author is, and the way there. */
export const EditorStateContext = createContext<Watched<EditorState> | null>(null)

type Watched<T> = Pick<Store<T>, 'get' | 'subscribe'>

/** The editor around a component. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('A part of the editor stands outside of it.')
  return useValueOf(editor)
}

/** Focus, selection and history, for the few parts that show them. */
export function useEditorState(): EditorState {
  const state = useContext(EditorStateContext)
  if (!state) throw new Error('A part of the editor stands outside of it.')
  return useValueOf(state)
}

/** The step that has the focus, if it is a step. */
export function focusedStep(state: EditorState): Activity | undefined {
  return stepOf(state, state.focus)
}

/** The step of a row's key, if it is one of a step. */
export function stepOf(state: EditorState, key: string | null): Activity | undefined {
  return documentOf(state).activities.find(({ id }) => id === key)
}
