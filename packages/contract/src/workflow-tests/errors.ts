/** Failures of workflow tests. */
export const WORKFLOW_TEST_ERRORS = {
  'workflowTest.too_many': 409,
  'workflowTest.name_taken': 409,
  'workflowTest.not_passed': 409,
} as const
