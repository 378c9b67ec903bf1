export const VIEW_ERRORS = {
  'view.too_many': 409,
  'view.not_shared': 409,
} as const
