import type { ScopeRoot } from '../expressions.ts'
import { isJsonObject } from '../json.ts'
import type { Json, JsonObject } from '../json.ts'
import type { EvaluateRequest } from './types.ts'

type Values = Readonly<Partial<Record<ScopeRoot, JsonObject | null>>>

const PLAIN_PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/

/** The value of a dotted path, where it is one and leads to something. */
export function valueAt(values: Values, path: string): Json | undefined {
  if (!PLAIN_PATH.test(path)) return undefined
  let at: Json | undefined = values
  for (const name of path.split('.')) {
    if (!isJsonObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

/**
 * The answer to a request that is made of dotted paths only, as most are, without a trip to the sandbox. This is also how
 * a list too large for the sandbox reaches a loop. Where a name is missing the sandbox answers, so that errors are the same.
 */
export function answerOfPaths(values: Values, request: EvaluateRequest): Json | undefined {
  if (request.kind === 'expression') return memberAt(values, request.expression)
  let text = ''
  for (const part of request.parts) {
    const value = part.kind === 'text' ? part.text : memberAt(values, part.expression)
    if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
    text += value === null ? '' : String(value)
  }
  return text
}

/** A root as a whole, and secrets, are the sandbox’s. */
function memberAt(values: Values, path: string): Json | undefined {
  return path.includes('.') && !path.startsWith('secrets.') ? valueAt(values, path) : undefined
}
