/**
 * Where the calls of boot and sign-in are. A test compares them with the contract, which these pages do not load: its
 * schemas would double what the sign-in page weighs.
 */
export const ACCESS_CALLS = {
  setUp: '/api-user/api/v1/auth/set-up',
  login: '/api-user/api/v1/auth/login',
  refresh: '/api-user/api/v1/auth/refresh',
  logout: '/api-user/api/v1/auth/logout',
  info: '/api-user/api/v1/user/get-info',
} as const

/** Calls of the other pages for visitors, by the contract's names. */
export const VISITOR_CALLS = {
  'recovery.forgot': '/api-user/api/v1/auth/forgot-password',
  'recovery.check': '/api-user/api/v1/auth/reset-password/check',
  'recovery.reset': '/api-user/api/v1/auth/reset-password',
  'twoSteps.next': '/api-user/api/v1/auth/two-steps',
  'twoSteps.passkeyOptions': '/api-user/api/v1/auth/two-steps/passkey-options',
  'twoSteps.nextEnrol': '/api-user/api/v1/auth/two-steps/enrol',
  'twoSteps.nextConfirm': '/api-user/api/v1/auth/two-steps/confirm',
} as const

export const CONFIG_CALL = '/api-internal/api/v1/system/system-config'
