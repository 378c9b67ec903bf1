export const WORKFLOW_ERRORS = {
  'workflow.invalid': 422,
  'workflow.bad_state': 422,
  'workflow.nothing_to_publish': 409,
  'workflow.no_release': 409,
  'workflow.release_needed': 409,
} as const
