export const ROLE_ERRORS = {
  'role.built_in': 409,
  'role.beyond_own': 403,
  'role.rule_beyond_own': 422,
  'role.unknown_field': 422,
  'role.in_use': 409,
  'function.fixed': 409,
} as const
