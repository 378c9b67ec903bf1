import { useCallback, useEffect, useMemo, useState } from 'react'
import type { WorkflowDocument } from '@weft/workflow/document'
import { validate, type Problem, type ValidateOptions } from '@weft/workflow/validate'
import { afterFrame } from '../../../lib/use-after-frame.ts'
import { same } from '../model/merge/same.ts'

/** What is wrong with the document, as a whole and by step. */
export interface Problems {
  problems: Problem[]
  problemsOf: (stepId: string) => readonly Problem[]
}

interface Judged {
  document: WorkflowDocument
  options: ValidateOptions
  problems: Problem[]
  byStep: ReadonlyMap<string, readonly Problem[]>
}

const NONE: readonly Problem[] = []

/**
 * Checks the document each time it has changed, after the change is seen: checking follows the typing, it does not hold
 * it up. `options` has to be the same object while it says the same.
 */
export function useProblems(document: WorkflowDocument, options: ValidateOptions): Problems {
  const [judged, setJudged] = useState(() => judge(document, options))
  useEffect(() => {
    if (judged.document === document && judged.options === options) return undefined
    return afterFrame(() => setJudged((before) => judge(document, options, before)))
  }, [document, options, judged])
  const { problems, byStep } = judged
  const problemsOf = useCallback((stepId: string) => byStep.get(stepId) ?? NONE, [byStep])
  return useMemo(() => ({ problems, problemsOf }), [problems, problemsOf])
}

/** Where nothing came or went, what was found before stays the same object, and nobody draws it again. */
function judge(document: WorkflowDocument, options: ValidateOptions, before?: Judged): Judged {
  const problems = validate(document, options)
  if (before && same(before.problems, problems)) return { ...before, document, options }
  const byStep = new Map<string, readonly Problem[]>()
  for (const problem of problems) {
    if (problem.stepId === null) continue
    byStep.set(problem.stepId, [...(byStep.get(problem.stepId) ?? []), problem])
  }
  for (const [stepId, now] of byStep) {
    const known = before?.byStep.get(stepId)
    if (known && same(known, now)) byStep.set(stepId, known)
  }
  return { document, options, problems, byStep }
}
