import { useCallback, useDeferredValue, useMemo } from 'react'
import { canonicalJson } from '@weft/contract/core/canonical'
import { workflowTests } from '@weft/contract/workflow-tests/api'
import { standingOf } from '@weft/contract/workflow-tests/rules'
import type { WorkflowTest } from '@weft/contract/workflow-tests/schema'
import type { TestStanding } from '@weft/contract/workflow-tests/standing'
import { confirm } from '../../../../../kit/confirm/confirm.ts'
import { useRead } from '../../../../../lib/query.ts'
import { sha256 } from '../../../../../lib/sha256.ts'
import { useT } from '../../../text.ts'
import { useEditor } from '../../context.ts'
import { irreversibleQuestion } from '../irreversible-question.tsx'
import type { Refusal } from '../refusal.ts'
import { useTestDesk } from '../test-desk.ts'
import { useValueOf } from '../../../../../lib/use-value-of.ts'

/** How a test is shown: as it stands toward what is in the editor, or where it is in the queue. */
export type ShownStanding = TestStanding | 'waiting'

/** A test with how it stands. */
export interface StandingTest {
  test: WorkflowTest
  standing: ShownStanding
  /** Why it was not started. */
  refused: Refusal | null
}

/** The tests of the workflow, each as it stands toward what is in the editor now, saved or not. */
export function useTests() {
  const { workflow, document } = useEditor()
  const { queue } = useTestDesk()
  const state = useValueOf(queue.state)
  const read = useRead(workflowTests.list, { workflowId: workflow.id })
  const judged = useDeferredValue(document)
  const hash = useMemo(() => sha256(canonicalJson(judged)), [judged])
  const tests = useMemo(
    () =>
      (read.data ?? []).map((test): StandingTest => {
        const { id } = test
        const refused = state.refused.get(id) ?? null
        if (state.waiting.includes(id)) return { test, standing: 'waiting', refused: null }
        if (state.current?.testId === id) return { test, standing: 'running', refused: null }
        return { test, standing: standingOf(test, hash), refused }
      }),
    [read.data, state, hash],
  )
  return { read, tests, state }
}

/** Whether this person may run tests of the workflow, which needs both to change and to run it. */
export function useMayTest(): boolean {
  const { workflow } = useEditor()
  return workflow.can.includes('update') && workflow.can.includes('run')
}

/** Runs tests on what is in the editor; true once all of them have been run to their end. */
export function useRunTests(): (testIds: readonly string[]) => Promise<boolean> {
  const t = useT()
  const desk = useTestDesk()
  const { document } = useEditor()
  return useCallback(
    (testIds) => {
      const { inputs, clientId } = desk.setup.get()
      const secret = new Set(document.inputs.flatMap((input) => (input.secret ? [input.name] : [])))
      return desk.queue.run({
        testIds,
        document,
        clientId,
        secrets: Object.fromEntries(Object.entries(inputs).filter(([name]) => secret.has(name))),
        ask: (refusal) => confirm(irreversibleQuestion(refusal, t)),
        begun: (runId) => {
          desk.marks.begin(document.activities.map(({ id }) => id))
          desk.runId.set(runId)
        },
      })
    },
    [desk, document, t],
  )
}
