/** Failures of test runs. */
export const TEST_RUN_ERRORS = {
  'testRun.busy': 409,
  'testRun.unknown_step': 422,
  'testRun.step_disabled': 422,
  'testRun.invalid': 422,
  'testRun.irreversible': 409,
  'testRun.no_client': 409,
  'testRun.not_pinnable': 422,
  'testRun.no_output': 409,
  'testRun.pin_too_large': 409,
  'testRun.too_many_pins': 409,
} as const
