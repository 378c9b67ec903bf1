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

export const CONFIG_CALL = '/api-internal/api/v1/system/system-config'
