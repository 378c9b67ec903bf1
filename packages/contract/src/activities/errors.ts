export const ACTIVITY_ERRORS = {
  'activity.disabled': 409,
  'activity.built_in': 409,
  'activity.newer_version': 409,
  'activity.parameter_in_use': 409,
} as const
