export const ACTIVITY_ERRORS = {
  'activity.disabled': 409,
  'activity.built_in': 409,
} as const
