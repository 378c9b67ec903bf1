export const PROXY_ERRORS = { 'proxy.disabled': 409 } as const
