export const IMPORT_ERRORS = {
  'import.empty': 422,
  'import.unreadable': 422,
  'import.bad_mapping': 422,
  'import.has_bad_rows': 409,
  'import.not_checked': 409,
  'import.cannot_undo': 409,
  'import.too_many_rows': 422,
} as const
