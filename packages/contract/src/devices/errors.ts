export const DEVICE_ERRORS = { 'device.built_in': 409 } as const
