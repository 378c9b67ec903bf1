import type { WorkflowDocument } from '../document.ts'
import { bareExpression, findReferences } from '../expressions.ts'
import { checkReferenceAtEnd } from './expressions.ts'
import type { ProjectNames } from './expressions.ts'
import { problem } from './problem.ts'
import type { Problem } from './problem.ts'

/** What the expectations of a workflow test see beside what expressions of steps do: what the run gave, and how it ended. */
export const EXPECTATION_NAMES = ['outputs', 'result'] as const

/**
 * What is wrong with an expectation of a workflow test. It is looked at once the run is over: every step may be named, and no
 * pass of a loop; secrets are not there.
 */
export function checkExpectation(
  document: WorkflowDocument,
  text: string,
  project?: ProjectNames,
): Problem[] {
  const expression = bareExpression(text)
  if (expression === '') return []
  const { references, unknownNames } = findReferences(expression)
  const place = { path: '' }
  const unknown = [
    ...unknownNames.filter((name) => !EXPECTATION_NAMES.some((known) => known === name)),
    ...references.flatMap(({ root }) => (root === 'secrets' ? [root] : [])),
  ]
  return [
    ...[...new Set(unknown)].map((name) => problem('expression.unknown_name', place, { name })),
    ...references.flatMap((reference) =>
      reference.root === 'secrets'
        ? []
        : checkReferenceAtEnd(reference, document, project).map(([code, params]) =>
            problem(code, place, { ...params, expression: expression.slice(0, 200) }),
          ),
    ),
  ]
}
