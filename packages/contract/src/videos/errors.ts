export const VIDEO_ERRORS = {
  'video.too_large': 413,
  'video.no_storage': 409,
  'video.disk_full': 507,
  'video.wrong_size': 409,
} as const
