import { useEffect, useRef, useState } from 'react'
import { workflows } from '@weft/contract/workflows/api'
import { toast } from '../../../../kit/toast/toast.ts'
import { call } from '../../../../lib/api.ts'
import { randomKey } from '../../../../lib/id.ts'
import { invalidateFeatures } from '../../../../lib/query.ts'
import { useLatest } from '../../../../lib/use-latest.ts'
import { sameDocument } from '../../model/merge/same.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { useRunTests } from '../test/tests/use-tests.ts'

/** How it is published: at once, or after these tests have been run and all have passed. */
export interface HowToPublish {
  changelog: string
  afterTests?: readonly string[]
}

/** Saves what is not saved, then publishes exactly that version. */
export function usePublish(close: () => void) {
  const t = useT()
  const { workflow, save, document } = useEditor()
  const latest = useLatest({ document, run: useRunTests() })
  const [busy, setBusy] = useState(false)
  const there = useRef(true)
  useEffect(() => {
    there.current = true
    return () => {
      there.current = false
    }
  }, [])
  const publish = async ({ changelog, afterTests }: HowToPublish) => {
    setBusy(true)
    try {
      const version = await save()
      if (version === null) return
      const { document: tried, run } = latest.current
      if (afterTests) {
        const done = await run(afterTests)
        // Whoever shut the dialog meanwhile wants no release any more.
        if (!done || !there.current) return
        if (!sameDocument(tried, latest.current.document)) return toast.warning(t('publish.changedMeanwhile'))
      }
      const release = await call(
        workflows.publish,
        { id: workflow.id, version, changelog, testsMustPass: afterTests !== undefined },
        { idempotencyKey: randomKey() },
      )
      toast.success(t('publish.done', { number: release.number }))
      close()
    } catch (error) {
      toast.failure(error)
    } finally {
      void invalidateFeatures(['workflows', 'workflowTests'])
      setBusy(false)
    }
    return undefined
  }
  return { publish, busy }
}
