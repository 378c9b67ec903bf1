/** A form's values, or a record: nested plain data. */
export type Values = Record<string, unknown>

function isPlain(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The value at a dotted path, as `limits.perDay` or `rows.0.name`. */
export function getAt(values: unknown, path: string): unknown {
  let value: unknown = values
  for (const part of path.split('.')) {
    if (Array.isArray(value)) value = value[Number(part)]
    else if (isPlain(value) && Object.hasOwn(value, part)) value = value[part]
    else return undefined
  }
  return value
}

/** A copy with another value at a dotted path; what is missing on the way becomes an object. */
export function setAt(values: unknown, path: string, next: unknown): unknown {
  const [head = '', ...rest] = path.split('.')
  const inner = rest.join('.')
  if (Array.isArray(values)) {
    const copy: unknown[] = [...values]
    const at = Number(head)
    copy[at] = inner ? setAt(copy[at], inner, next) : next
    return copy
  }
  const base = isPlain(values) ? values : {}
  return { ...base, [head]: inner ? setAt(base[head], inner, next) : next }
}

/** Whether two values are alike all the way down; an absent key is like one that is undefined. */
export function alike(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => alike(item, b[i]))
    )
  if (!isPlain(a) || !isPlain(b)) return false
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => alike(a[key], b[key]))
}

/** The top-level fields whose value differs from the initial one. */
export function changedFields(values: Values, initial: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !alike(value, initial[name])))
}

/** A copy without the fields at these dotted paths. */
export function without(values: Values, paths: ReadonlySet<string>): Values {
  let copy: Values = values
  for (const path of paths)
    if (getAt(copy, path) !== undefined) copy = { ...Object(setAt(copy, path, undefined)) }
  return copy
}
