import { useCallback, useEffect, useRef, useState } from 'react'
import { testRuns } from '@weft/contract/test-runs/api'
import type { TestScope } from '@weft/contract/test-runs/schema'
import { isIrreversibleRefusal, refusalOf, type Refusal } from './refusal.ts'
import { stepsOfPart } from '@weft/workflow/interpret/part'
import { confirm } from '../../../../kit/confirm/confirm.ts'
import { call } from '../../../../lib/api.ts'
import { randomKey } from '../../../../lib/id.ts'
import { invalidateFeatures } from '../../../../lib/query.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { toWire } from '../server-document.ts'
import { irreversibleQuestion } from './irreversible-question.tsx'
import { useTestDesk } from './test-desk.ts'
import { useValueOf } from '../../../../lib/use-value-of.ts'
import { usePins } from './use-pins.ts'

/** Starts test runs of what stands in the editor; why one was refused stays until the next. */
export function useStart() {
  const t = useT()
  const desk = useTestDesk()
  const { workflow, document } = useEditor()
  const { pinned } = usePins()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)

  const start = useCallback(
    async (scope: TestScope) => {
      const { inputs, resources, clientId } = desk.setup.get()
      const declared = new Set(document.inputs.map(({ name }) => name))
      const send = (allowIrreversible: boolean) =>
        call(
          testRuns.start,
          {
            workflowId: workflow.id,
            document: toWire(document),
            scope,
            clientId,
            inputs: Object.fromEntries(Object.entries(inputs).filter(([name]) => declared.has(name))),
            resources,
            allowIrreversible,
          },
          { idempotencyKey: randomKey() },
        )
      setBusy(true)
      setRefusal(null)
      try {
        const run = await send(false).catch(async (error: unknown) => {
          if (!isIrreversibleRefusal(error)) throw error
          return (await confirm(irreversibleQuestion(error, t))) ? send(true) : null
        })
        if (!run) return
        const part = stepsOfPart(document, scope, pinned)
        desk.runId.set(run.id)
        desk.marks.begin(part.map(({ id }) => id))
        desk.part.set('steps')
        void invalidateFeatures(['testRuns'])
      } catch (error) {
        const why = refusalOf(error, scope)
        setRefusal(why)
        if (why.inputs.size > 0) desk.part.set('setup')
      } finally {
        setBusy(false)
      }
    },
    [desk, workflow.id, document, pinned, t],
  )

  // What a step's menu asked for.
  const wanted = useValueOf(desk.wanted)
  const taken = useRef<TestScope | null>(null)
  useEffect(() => {
    if (!wanted || taken.current === wanted) return
    taken.current = wanted
    desk.wanted.set(null)
    void start(wanted)
  }, [wanted, desk, start])

  return { start, busy, refusal, forget: () => setRefusal(null) }
}
