/** Failures of attended runs. */
export const ATTENDED_ERRORS = {
  'attended.no_profile': 409,
  'attended.no_address': 409,
  'attended.held': 409,
  'attended.no_client': 409,
  'attended.no_browser': 409,
  'attended.clients_busy': 409,
  'attended.clients_busy_with': 409,
  'attended.proxy_unusable': 409,
  'attended.closed': 409,
  'attended.not_yours': 409,
  'attended.not_away': 409,
  'attended.too_long': 409,
  'attended.bad_frame': 422,
} as const
