import { useCallback, useEffect, useRef, useState } from 'react'
import { signedIn } from '../../../lib/session/session.ts'
import { useLatest } from '../../../lib/use-latest.ts'
import { documentOf, edit, isDirty } from '../model/editor-state.ts'
import type { EditorState, Update } from '../model/editor-state.ts'
import { browserStorage, draftOf, findDrafts, forgetDraft, keepDraft } from '../model/local-draft.ts'
import type { LocalDraft } from '../model/local-draft.ts'
import { mergeDocuments } from '../model/merge/merge.ts'
import { useTabs } from './use-tabs.ts'

const KEEP_AFTER_MS = 400

/** What came back from this browser's store. */
export interface Restored {
  /** When it was last worked on. */
  at: number
}

/**
 * Goes on with unsaved work. If somebody saved in the meantime it is merged with that; where it cannot be, it stays on
 * the version that it was made on, and the page offers to choose.
 */
function resume(now: EditorState, draft: LocalDraft): EditorState {
  const { version, document: theirs } = now.base
  if (draft.version === version) return edit(now, draft.document, { at: 0 })
  const merged = mergeDocuments({ base: draft.base, mine: draft.document, theirs })
  if (merged.conflicts.length === 0) return edit(now, merged.document, { at: 0 })
  return { ...edit(now, draft.document, { at: 0 }), base: { version: draft.version, document: draft.base } }
}

/**
 * Keeps unsaved work in this browser and brings it back: after a reload that of this tab, else the newest that a closed
 * tab left behind. What another open tab works on is left to it.
 */
export function useLocalDraft(options: {
  workflowId: string
  state: EditorState
  update: (change: Update) => void
  enabled: boolean
}) {
  const { workflowId, state, update, enabled } = options
  const { tabId, others, settled } = useTabs(workflowId)
  const [restored, setRestored] = useState<Restored | null>(null)
  const [cannotKeep, setCannotKeep] = useState(false)
  const looked = useRef(false)
  const latest = useLatest(state)
  const userId = signedIn.get()?.user.id ?? ''

  const keep = useCallback(
    (now: EditorState) => {
      const storage = browserStorage()
      if (!looked.current) return
      const place = { userId, workflowId, tabId }
      if (!storage) setCannotKeep(true)
      else if (!isDirty(now)) forgetDraft(storage, place)
      else {
        const draft = draftOf(now.base.version, now.base.document, documentOf(now), Date.now())
        setCannotKeep(!keepDraft(storage, place, draft))
      }
    },
    [userId, workflowId, tabId],
  )

  useEffect(() => {
    if (!settled || looked.current || !enabled) return
    looked.current = true
    const storage = browserStorage()
    const place = { userId, workflowId }
    const found = storage ? findDrafts(storage, place).filter(({ tabId: tab }) => !others.has(tab)) : []
    const kept = found.find(({ tabId: tab }) => tab === tabId) ?? found[0]
    if (!storage || !kept || isDirty(latest.current)) return
    const { draft } = kept
    if (kept.tabId !== tabId) forgetDraft(storage, { ...place, tabId: kept.tabId })
    update((now) => resume(now, draft))
    // The store of the browser is read once, when all tabs had time to answer.
    // oxlint-disable-next-line react/set-state-in-effect
    setRestored({ at: draft.at })
  }, [settled, others, tabId, userId, workflowId, update, enabled, latest])

  useEffect(() => {
    if (!enabled) return undefined
    const timer = setTimeout(() => keep(state), KEEP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [state, enabled, keep])

  // A tab that closes, or a page that is left, within the pause keeps its last letters too.
  useEffect(() => {
    if (!enabled) return undefined
    const keepLast = () => keep(latest.current)
    addEventListener('pagehide', keepLast)
    return () => {
      removeEventListener('pagehide', keepLast)
      keepLast()
    }
  }, [enabled, keep, latest])

  // What came back is old news once it is saved or discarded.
  const dirty = isDirty(state)
  const [wasDirty, setWasDirty] = useState(dirty)
  if (dirty !== wasDirty) {
    setWasDirty(dirty)
    if (!dirty) setRestored(null)
  }

  return {
    restored,
    discard: () => {
      update((now) => edit(now, now.base.document, { at: Date.now() }))
      setRestored(null)
    },
    otherTabs: others.size,
    cannotKeep,
  }
}
