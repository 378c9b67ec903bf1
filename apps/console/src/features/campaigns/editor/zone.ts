/** The zone of this device. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Every zone this browser knows, the device's own first. */
export function allZones(): string[] {
  const own = ownZone()
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== own && zone !== 'UTC')
  return [...new Set([own, 'UTC', ...zones])]
}
