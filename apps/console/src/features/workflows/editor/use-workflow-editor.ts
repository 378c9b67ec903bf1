import { useCallback, useEffect, useMemo, useReducer, useState } from 'react'
import type { Workflow } from '@weft/contract/workflows/schema'
import type { WorkflowDocument } from '@weft/workflow/document'
import { toast } from '../../../kit/toast/toast.ts'
import { isolate } from '../../../lib/i18n/isolate.ts'
import { useLatest } from '../../../lib/use-latest.ts'
import {
  documentOf,
  edit as editState,
  focusRow,
  isDirty,
  rebased,
  startEditing,
} from '../model/editor-state.ts'
import type { EditorState, Update } from '../model/editor-state.ts'
import { mergeDocuments } from '../model/merge/merge.ts'
import { sameDocument } from '../model/merge/same.ts'
import { useT } from '../text.ts'
import type { Editor } from './context.ts'
import { useSwitchedOff } from './picker.tsx'
import { documentFrom } from './server-document.ts'
import { useFindParameters } from './use-find-parameters.ts'
import { useLocalDraft } from './use-local-draft.ts'
import { useKnownNames } from './use-project-names.ts'
import { useNotices } from './use-notices.ts'
import { useProblems } from './use-problems.ts'
import { saverOf, useSaving, type Clash } from './use-saving.ts'

/** The editor, and what stands around it on the page. */
export interface EditorPage {
  editor: Editor
  state: EditorState
  clash: Clash | null
  dropClash: () => void
  settle: (clash: Clash, merged: WorkflowDocument) => void
  restored: { at: number } | null
  discard: () => void
  /** A newer version that others saved while there is unsaved work here, and whose it is. */
  incoming: { by: string | null } | null
  takeIncoming: () => void
  otherTabs: number
  cannotKeep: boolean
}

/** Everything that the page of a workflow does. */
export function useWorkflowEditor(workflow: Workflow, document: WorkflowDocument): EditorPage {
  const t = useT()
  const [state, update] = useReducer(
    (now: EditorState, change: Update) => change(now),
    null,
    () => startEditing(workflow.version, document),
  )
  const latest = useLatest(state)
  const [clash, setClash] = useState<Clash | null>(null)
  const [wanted, setWanted] = useState<Editor['wanted']>(null)
  const readOnly = !workflow.can.includes('update')
  const saving = useSaving({ id: workflow.id, latest, update, clash: setClash })
  const local = useLocalDraft({ workflowId: workflow.id, state, update, enabled: !readOnly })
  const { incoming, take } = useIncoming(workflow, state, update, setClash)
  useNotices(state.notice)

  const present = documentOf(state)
  const switchedOff = useSwitchedOff()
  const findParameters = useFindParameters(present)
  const project = useKnownNames(workflow.projectId)
  const { problems, problemsOf } = useProblems(
    present,
    useMemo(
      () => ({ switchedOff, findParameters, workflowId: workflow.id, ...(project ? { project } : {}) }),
      [switchedOff, findParameters, workflow.id, project],
    ),
  )
  const edit = useCallback(
    (next: WorkflowDocument, group?: string) =>
      update((now) => editState(now, next, { at: Date.now(), ...(group === undefined ? {} : { group }) })),
    [],
  )
  const goTo = useCallback((stepId: string, field?: string | null) => {
    update((now) => focusRow(now, stepId))
    setWanted((before) => ({ stepId, field: field ?? '', seq: (before?.seq ?? 0) + 1 }))
  }, [])
  const dirty = useMemo(() => isDirty(state), [state])
  const { save, saveFrom } = saving
  useSaveKey(save)

  const { saving: busy } = saving
  const editor = useMemo<Editor>(
    () => ({
      workflow,
      document: present,
      update,
      edit,
      problems,
      problemsOf,
      readOnly,
      dirty,
      saving: busy,
      save,
      goTo,
      wanted,
    }),
    [workflow, present, edit, problems, problemsOf, readOnly, dirty, busy, save, goTo, wanted],
  )
  return {
    editor,
    state,
    clash,
    dropClash: () => setClash(null),
    settle: (settled, merged) => {
      setClash(null)
      update((now) => rebased(now, settled.version, settled.theirs, merged, Date.now()))
      if (settled.thenSave) void saveFrom({ version: settled.version, base: settled.theirs, mine: merged })
      else toast.info(t('conflict.settled'))
    },
    ...local,
    incoming,
    takeIncoming: take,
  }
}

/** What others saved: taken over silently where there is nothing unsaved, else offered. Nothing is ever reloaded over edits. */
function useIncoming(
  workflow: Workflow,
  state: EditorState,
  update: (change: Update) => void,
  clash: (clash: Clash) => void,
) {
  const t = useT()
  const { version } = workflow
  const by = saverOf(workflow)
  const theirs = useMemo(() => documentFrom(workflow.draft), [workflow.draft])
  const newer = version > state.base.version && theirs.ok
  const unchanged = newer && sameDocument(theirs.value, state.base.document)
  const takeSilently = newer && (unchanged || !isDirty(state))
  useEffect(() => {
    if (!takeSilently || !theirs.ok) return
    // What changes before somebody's eyes is said to be somebody's.
    if (!unchanged && by !== null) toast.info(t('local.taken', { name: isolate(by) }))
    update((now) =>
      unchanged
        ? { ...now, base: { ...now.base, version } }
        : rebased(now, version, theirs.value, theirs.value, Date.now()),
    )
  }, [takeSilently, unchanged, version, theirs, update, by, t])
  const take = () => {
    if (!theirs.ok) return
    const { document: base } = state.base
    const mine = documentOf(state)
    const merged = mergeDocuments({ base, mine, theirs: theirs.value })
    if (merged.conflicts.length > 0) clash({ version, base, mine, theirs: theirs.value, by, thenSave: false })
    else {
      update((now) => rebased(now, version, theirs.value, merged.document, Date.now()))
      toast.info(by === null ? t('conflict.merged') : t('conflict.mergedWith', { name: isolate(by) }))
    }
  }
  return { incoming: newer && !takeSilently ? { by } : null, take }
}

/** Ctrl+S saves wherever the focus is on the page. */
function useSaveKey(save: () => Promise<unknown>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 's' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return
      event.preventDefault()
      void save()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [save])
}
