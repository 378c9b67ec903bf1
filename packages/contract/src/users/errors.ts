export const USER_ERRORS = {
  'user.last_administrator': 409,
  'user.not_yourself': 409,
  'user.beyond_own': 403,
  'user.role_beyond_own': 422,
} as const
