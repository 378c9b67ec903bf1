import { useCallback, useRef, useState } from 'react'
import { workflows } from '@weft/contract/workflows/api'
import type { Workflow } from '@weft/contract/workflows/schema'
import type { WorkflowDocument } from '@weft/workflow/document'
import { toast } from '../../../kit/toast/toast.ts'
import { call } from '../../../lib/api.ts'
import { isFailure } from '../../../lib/failure.ts'
import { isolate } from '../../../lib/i18n/isolate.ts'
import { invalidateFeatures, queryClient, readKey } from '../../../lib/query.ts'
import { signedIn } from '../../../lib/session/session.ts'
import { documentOf, isDirty, rebased, saved } from '../model/editor-state.ts'
import type { EditorState, Update } from '../model/editor-state.ts'
import { mergeDocuments } from '../model/merge/merge.ts'
import { useT } from '../text.ts'
import { currentOf, documentFrom, toWire } from './server-document.ts'

/** Two versions that differ where a person has to choose. */
export interface Clash {
  version: number
  base: WorkflowDocument
  mine: WorkflowDocument
  theirs: WorkflowDocument
  /** Who saved theirs, where that is known. */
  by: string | null
  /** Save once it is chosen. */
  thenSave: boolean
}

/** Others may save again and again while a merge is on its way; then it is better to say so than to go on for ever. */
const MOST_TRIES = 4

/** Saves the draft. A newer version on the server is merged step by step; where that is not clear, a person chooses. */
export function useSaving(options: {
  id: string
  latest: { readonly current: EditorState }
  update: (change: Update) => void
  clash: (clash: Clash) => void
}) {
  const { id, latest, update, clash } = options
  const t = useT()
  const [saving, setSaving] = useState(false)
  const busy = useRef<Promise<number | null> | null>(null)

  const attempt = useCallback(
    async (from: SaveFrom): Promise<number | null> => {
      let { version, base, mine } = from
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const sent = mine
        try {
          const record = await call(workflows.update, { id, version, draft: toWire(sent) })
          queryClient.setQueryData<Workflow>(readKey(workflows.get, { id }), record)
          update((state) => saved(state, record.version, sent))
          void invalidateFeatures(['workflows'])
          return record.version
        } catch (error) {
          const current = isFailure(error) && error.body.code === 'record.stale' && currentOf(error.body)
          const theirs = current && documentFrom(current.draft)
          if (!current || !theirs || !theirs.ok) {
            toast.failure(error)
            return null
          }
          const merged = mergeDocuments({ base, mine, theirs: theirs.value })
          const by = saverOf(current)
          if (merged.conflicts.length > 0) {
            clash({ version: current.version, base, mine, theirs: theirs.value, by, thenSave: true })
            return null
          }
          const next = merged.document
          update((state) => rebased(state, current.version, theirs.value, next, Date.now()))
          toast.info(by === null ? t('conflict.merged') : t('conflict.mergedWith', { name: isolate(by) }))
          version = current.version
          base = theirs.value
          mine = next
        }
      }
      toast.warning(t('conflict.busy'))
      return null
    },
    [id, update, clash, t],
  )

  const saveFrom = useCallback(
    (from: SaveFrom): Promise<number | null> => {
      busy.current ??= (async () => {
        setSaving(true)
        try {
          return await attempt(from)
        } finally {
          busy.current = null
          setSaving(false)
        }
      })()
      return busy.current
    },
    // The checker does not see what is called within a try.
    // oxlint-disable-next-line react/memo-dependencies
    [attempt],
  )

  const save = useCallback((): Promise<number | null> => {
    const { base } = latest.current
    if (!isDirty(latest.current)) return Promise.resolve(base.version)
    return saveFrom({ version: base.version, base: base.document, mine: documentOf(latest.current) })
  }, [saveFrom, latest])

  return { saving, save, saveFrom }
}

/** Who else made the draft as it is; null where it was the same person, or nobody knows. */
export function saverOf({ draftBy }: Pick<Workflow, 'draftBy'>): string | null {
  return draftBy && draftBy.id !== signedIn.get()?.user.id ? draftBy.displayName : null
}

/** What is saved, on what it was made. */
export interface SaveFrom {
  version: number
  base: WorkflowDocument
  mine: WorkflowDocument
}
