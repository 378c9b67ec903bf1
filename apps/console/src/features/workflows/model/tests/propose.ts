import { isJsonObject, type Json, type JsonObject } from '@weft/workflow/json'

/** What is proposed at most: a test of everything that happens to be there would be red every day. */
const MOST = 12
const LONGEST_TEXT = 200
/** What stands for a secret in everything that is kept of a run. */
const MASKED = '••••••'
const NAME = /^[A-Za-z_$][\w$]*$/

/** How a run ended, as far as a test can expect it. */
export interface Ended {
  result: string | null
  outputs: JsonObject | null
  error: { class: string } | null
}

/** Expectations that hold for a run that just ended: what it gave, or how it failed. */
export function proposedFrom({ result, outputs, error }: Ended): string[] {
  if (result !== 'succeeded') return error ? [`error.class === ${JSON.stringify(error.class)}`] : []
  return Object.entries(outputs ?? {})
    .flatMap(([name, value]) => proposals(`outputs${member(name)}`, value, 0))
    .slice(0, MOST)
}

function proposals(path: string, value: Json, depth: number): string[] {
  if (Array.isArray(value)) return [`${path}.length === ${value.length}`]
  if (isJsonObject(value))
    return depth > 1
      ? []
      : Object.entries(value).flatMap(([name, inner]) => proposals(path + member(name), inner, depth + 1))
  if (value === true) return [path]
  if (typeof value === 'string' && (value.length > LONGEST_TEXT || value.includes(MASKED))) return []
  return [`${path} === ${JSON.stringify(value)}`]
}

const member = (name: string) => (NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)
