export const BULK_ERRORS = {
  'bulk.cannot_undo': 409,
  'bulk.not_running': 409,
} as const
