export const USER_ERRORS = {
  'user.last_administrator': 409,
  'user.not_yourself': 409,
  'user.beyond_own': 403,
  'user.role_beyond_own': 422,
  'user.owns_records': 409,
  'user.transfer_conflict': 409,
  'user.to_oneself': 422,
  'quota.exceeded': 409,
  'quota.beyond_own': 422,
} as const
