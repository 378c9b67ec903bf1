import { expressionSpans } from '@weft/workflow/expressions'
import { tokenize, type Token } from '@weft/workflow/expressions-tokens'
import type { ScopeValue } from './types.ts'

/** What a text is: one with templates in it, or one expression. */
export type TextKind = 'template' | 'code' | 'expression'

/** What may be put at the caret, and which part of the text it replaces. */
export interface Completion {
  from: number
  to: number
  /** What has been typed of it so far. */
  typed: string
  entries: readonly ScopeValue[]
  /** Braces that are missing around it. */
  open: boolean
  close: boolean
}

/** How many values are offered at most: more are found by typing. */
const MOST = 60

/**
 * What fits at the caret. Without being asked for it is offered only while a name is being typed, or where a template has
 * just been begun.
 */
export function completionAt(
  text: string,
  caret: number,
  kind: TextKind,
  scope: readonly ScopeValue[],
  asked: boolean,
): Completion | null {
  const place = placeAt(text, caret, kind)
  if (!place)
    return asked ? offer({ from: caret, to: caret, typed: '', open: true, close: true }, scope) : null
  if (place.typed === '' && !asked && !place.begun) return null
  return offer(place, scope)
}

/** A text with an entry put in place, and where the caret then stands. */
export function withCompletion(
  text: string,
  { from, to, open, close }: Completion,
  expression: string,
): { text: string; caret: number } {
  const before = text.slice(0, from)
  const begin = open ? '{{ ' : before.endsWith('{{') ? ' ' : ''
  const end = close ? ' }}' : ''
  const put = `${begin}${expression}`
  const rest = text.slice(to)
  return {
    text: `${before}${put}${end}${close ? rest.replace(/^\s+$/, '') : rest}`,
    // Within the braces: a member or a sum may follow.
    caret: from + put.length + (open ? end.length : 0),
  }
}

type Place = Omit<Completion, 'entries'>

function offer(place: Place, scope: readonly ScopeValue[]): Completion | null {
  const entries = matching(scope, place.typed).map((entry) => ({
    ...entry,
    expression: withIndexes(entry.expression, place.typed),
  }))
  const [only] = entries
  if (!only || (entries.length === 1 && only.expression === place.typed)) return null
  return { ...place, entries: entries.slice(0, MOST) }
}

/** What fits to what was typed, the nearest first; among equals the order is that of the scope. */
export function matching(scope: readonly ScopeValue[], typed: string): ScopeValue[] {
  const wanted = typed.toLowerCase().replaceAll(INDEX, '[0]')
  // What lies within an entry of a list is offered to whom has begun one.
  const offered = wanted.includes('[') ? scope : scope.filter(({ expression }) => !expression.includes('['))
  if (wanted === '') return [...offered]
  const ranked = offered.flatMap((entry) => {
    const rank = rankOf(entry, wanted)
    return rank === null ? [] : [{ entry, rank }]
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ entry }) => entry)
}

const INDEX = /\[\s*\d+\s*\]/g

/** An expression with the numbers that somebody typed in place of its own. */
function withIndexes(expression: string, typed: string): string {
  const numbers = typed.match(INDEX) ?? []
  let at = 0
  return expression.replaceAll(INDEX, (own) => numbers[at++] ?? own)
}

function rankOf({ expression, hint }: ScopeValue, wanted: string): number | null {
  const name = expression.toLowerCase()
  if (name.startsWith(wanted)) return 0
  if (name.split('.').some((part) => part.startsWith(wanted))) return 1
  if (name.includes(wanted)) return 2
  return hint.toLowerCase().includes(wanted) ? 3 : null
}

/** The path at the caret, where the caret is in an expression and not in a text of it. */
function placeAt(text: string, caret: number, kind: TextKind): (Place & { begun: boolean }) | null {
  const span =
    kind === 'expression' && !text.trimStart().startsWith('{{')
      ? { from: 0, to: text.length, closed: true }
      : expressionSpans(text).find(({ from, to }) => from <= caret && caret <= to)
  if (!span) return null
  const tokens = tokensTo(text, span.from, span.to)
  const path = pathAt(tokens, caret)
  const place = { open: false, close: !span.closed }
  if (path) return { ...place, ...path, typed: text.slice(path.from, caret), begun: false }
  if (tokens.some((token) => isInText(token, caret))) return null
  const begun = kind !== 'expression' && text.slice(span.from, caret).trim() === ''
  return { ...place, from: caret, to: caret, typed: '', begun }
}

function tokensTo(text: string, from: number, to: number): Token[] {
  const tokens: Token[] = []
  for (const token of tokenize(text, from)) {
    if (token.start >= to) break
    tokens.push(token)
  }
  return tokens
}

const endOf = ({ start, text }: Token) => start + text.length
const isDot = (token: Token | undefined) => token?.text === '.' || token?.text === '?.'

function isInText(token: Token, caret: number): boolean {
  if ((token.kind !== 'string' && token.kind !== 'regex') || token.start >= caret) return false
  const end = endOf(token)
  const closed = token.text.length > 1 && token.text.at(-1) === token.text[0]
  return caret < end || (caret === end && !closed)
}

/** Whether a number in brackets behind a name begins at a token. */
function isIndex(tokens: readonly Token[], at: number): boolean {
  const [name, open, number, close] = [tokens[at - 1], tokens[at], tokens[at + 1], tokens[at + 2]]
  return name?.kind === 'name' && open?.text === '[' && number?.kind === 'number' && close?.text === ']'
}

/** The path that the caret stands in or behind, such as `steps.read.rows[0].name`; a call at its end is no part of it. */
function pathAt(tokens: readonly Token[], caret: number): { from: number; to: number } | null {
  const index = tokens.findIndex(
    (token) =>
      (token.kind === 'name' && token.start < caret && caret <= endOf(token)) ||
      (isDot(token) && endOf(token) === caret),
  )
  const at = tokens[index]
  if (!at) return null
  let first = index
  while (first > 0) {
    const before = tokens[first - 1]
    if (isDot(tokens[first]) && before?.text === ']' && isIndex(tokens, first - 3)) {
      first -= 4
      continue
    }
    const joins = isDot(tokens[first]) ? before?.kind === 'name' : isDot(before)
    if (!joins) break
    first -= 1
  }
  const begin = tokens[first]
  // A member of what is no path, such as `(a).name`, is not for us to know.
  if (!begin || begin.kind !== 'name') return null
  let last = index
  while (last + 1 < tokens.length) {
    const next = tokens[last + 1]
    const joins = isDot(tokens[last]) ? next?.kind === 'name' : isDot(next)
    if (!joins) break
    last += 1
  }
  if (tokens[last + 1]?.text === '(') last = Math.max(index, last - 2)
  const end = tokens[last]
  return { from: begin.start, to: end ? endOf(end) : caret }
}
