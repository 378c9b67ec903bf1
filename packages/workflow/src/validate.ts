import type { WorkflowDocument } from './document.ts'
import { checkCalls } from './validate/calls.ts'
import type { FindParameters, FindWorkflow } from './validate/calls.ts'
import { checkExpressions } from './validate/expressions.ts'
import type { ProjectNames } from './validate/expressions.ts'
import type { Problem } from './validate/problem.ts'
import { checkDeclarations, checkStates } from './validate/states.ts'
import { checkStructure } from './validate/structure.ts'

export { PROBLEM_CODES } from './validate/problem.ts'
export type { Problem, ProblemCode, Severity } from './validate/problem.ts'
export type { FindParameters, FindWorkflow } from './validate/calls.ts'
export type { ProjectNames } from './validate/expressions.ts'

/** What validation knows beyond the document. */
export interface ValidateOptions {
  /** What this installation does not allow: types of activities, and ids of custom ones. */
  switchedOff?: ReadonlySet<string>
  /** Finds called workflows; without it calls are not followed. */
  findWorkflow?: FindWorkflow
  /** Finds the parameters of custom activities where their documents are not at hand. */
  findParameters?: FindParameters
  /** What the workflow's project has; without it these names are not checked. */
  project?: ProjectNames
  /** The id of the workflow that the document belongs to, to see calls that come back to it. */
  workflowId?: string
}

/** Everything that is wrong with a document, in the order of its parts. It never throws. */
export function validate(document: WorkflowDocument, options: ValidateOptions = {}): Problem[] {
  return [
    ...checkDeclarations(document),
    ...checkStructure(document),
    ...checkStates(document, options.switchedOff),
    ...checkExpressions(document, options.project),
    ...checkCalls(document, options),
  ]
}

/** Whether a document may be published: warnings do not keep it from that. */
export function isPublishable(problems: Problem[]): boolean {
  return problems.every(({ severity }) => severity !== 'error')
}
