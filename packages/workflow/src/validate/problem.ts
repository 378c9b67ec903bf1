/** How bad a problem is: a document with errors cannot be published; a warning is for the author to judge. */
export type Severity = 'error' | 'warning'

/** Every kind of problem of a document, and how bad it is. */
export const PROBLEM_CODES = {
  'workflow.empty': 'error',
  'workflow.start_missing': 'error',
  'workflow.start_has_incoming': 'error',
  'workflow.duplicate_id': 'error',
  'workflow.duplicate_input': 'error',
  'workflow.duplicate_variable': 'error',
  'workflow.default_type': 'error',
  'workflow.secret_default': 'error',
  'workflow.secret_type': 'error',
  'workflow.connection_unknown_step': 'error',
  'workflow.connection_unknown_outcome': 'error',
  'workflow.outcome_twice': 'error',
  'workflow.joined': 'error',
  'workflow.cycle': 'error',
  'workflow.unreachable': 'error',
  'workflow.too_deep': 'error',
  'workflow.too_large': 'error',
  'workflow.unknown_activity': 'error',
  'workflow.activity_disabled': 'error',
  'workflow.newer_activity': 'error',
  'workflow.loop_without_bound': 'error',
  'workflow.duplicate_key': 'error',
  'workflow.unknown_variable': 'error',
  'workflow.call_unknown': 'error',
  'workflow.call_cycle': 'error',
  'workflow.call_unknown_input': 'error',
  'workflow.call_missing_input': 'error',
  'workflow.call_missing_project_name': 'error',
  'workflow.custom_unknown': 'error',
  'workflow.custom_cycle': 'error',
  'workflow.parameter_unknown': 'error',
  'workflow.parameter_missing': 'error',
  'workflow.empty_body': 'warning',
  'workflow.retry_ignored': 'warning',
  'field.required': 'error',
  'field.unknown': 'error',
  'field.invalid': 'error',
  'expression.unclosed': 'error',
  'expression.empty': 'error',
  'expression.unknown_input': 'error',
  'expression.unknown_variable': 'error',
  'expression.unknown_step': 'error',
  'expression.unknown_output': 'error',
  'expression.unknown_name': 'error',
  'expression.secret_not_fixed': 'error',
  'expression.unknown_project_variable': 'error',
  'expression.unknown_secret': 'error',
  'expression.unknown_item': 'warning',
  'expression.step_not_yet': 'warning',
  'expression.outside_loop': 'warning',
  'expression.outside_catch': 'warning',
} as const satisfies Record<string, Severity>

/** A kind of problem. */
export type ProblemCode = keyof typeof PROBLEM_CODES

/** One thing that is wrong with a document: words for it are in the console, under its code. */
export interface Problem {
  code: ProblemCode
  severity: Severity
  /** Where in the document, such as `activities.3.state.url`. */
  path: string
  /** The step that it concerns, for a link to it. */
  stepId: string | null
  /** The field of that step's state. */
  field: string | null
  params: Record<string, string | number | boolean | null>
}

/** Makes a problem of a kind. */
export function problem(
  code: ProblemCode,
  place: { path: string; stepId?: string; field?: string },
  params: Problem['params'] = {},
): Problem {
  const { path, stepId = null, field = null } = place
  return { code, severity: PROBLEM_CODES[code], path, stepId, field, params }
}
