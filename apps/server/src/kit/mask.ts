const SECRET = /password|secret|token|seed|recoverycodes|privatekey|hash$/i

/** A copy of a value for logs and audit rows, with every secret's value replaced by whether it is set. */
export function maskSecrets(value: unknown): unknown {
  if (value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, SECRET.test(key) ? maskOne(item) : maskSecrets(item)]),
    )
  return typeof value === 'bigint' ? Number(value) : value
}

function maskOne(value: unknown): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null
  // The answer's own form for a secret: {set: true}.
  if (typeof value === 'object' && 'set' in value && typeof value.set === 'boolean') return { set: value.set }
  return '•••'
}
