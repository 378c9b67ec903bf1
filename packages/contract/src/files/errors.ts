export const FILE_ERRORS = {
  'file.no_storage': 409,
} as const
