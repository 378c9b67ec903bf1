export const VIEWING_ERRORS = {
  'access.viewing_as': 403,
} as const
