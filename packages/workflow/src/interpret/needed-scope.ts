import { findReferences } from '../expressions.ts'
import type { Reference, ScopeRoot } from '../expressions.ts'
import { isJsonObject } from '../json.ts'
import type { JsonObject } from '../json.ts'
import type { EvaluateRequest } from './types.ts'

/**
 * What of all values some requests use, and by which references: only that travels to the sandbox, whose scope is limited,
 * while a run's outputs can be many. Secrets are never in it; a root that is not known is as if it were empty.
 */
export function neededScope(
  whole: Readonly<Partial<Record<ScopeRoot, JsonObject | null>>>,
  requests: readonly EvaluateRequest[],
): { scope: JsonObject; references: Reference[] } {
  const references: Reference[] = []
  for (const expression of requests.flatMap(expressionsOf)) {
    const use = findReferences(expression)
    references.push(...use.references)
    references.push(...use.shadowed.map((root) => ({ root, path: [], exact: true })))
  }
  // Every name exists, so that `error?.message` outside of `catch` gives null and not a reference error; and `run.now` is
  // what `new Date()` gives.
  const scope: JsonObject = {
    inputs: {},
    vars: {},
    steps: {},
    item: {},
    loop: null,
    error: null,
    project: {},
    secrets: {},
    run: { now: whole.run?.['now'] ?? null },
  }
  for (const { root, path } of references) {
    const source = whole[root]
    if (root === 'secrets' || source === undefined) continue
    const [name] = path
    const slice = scope[root]
    if (name === undefined || !isJsonObject(source) || !isJsonObject(slice)) scope[root] = source
    else if (slice !== source && Object.hasOwn(source, name)) slice[name] = source[name] ?? null
  }
  return { scope, references }
}

/** The expressions of a request. */
export const expressionsOf = (request: EvaluateRequest): string[] =>
  request.kind === 'expression'
    ? [request.expression]
    : request.parts.flatMap((part) => (part.kind === 'expression' ? [part.expression] : []))
