export const ACCESS_ERRORS = {
  'auth.wrong_credentials': 401,
  'auth.too_many_attempts': 429,
  'auth.busy': 429,
  'auth.csrf': 403,
  'setup.done': 409,
  'setup.wrong_token': 403,
  'password.common': 422,
} as const
