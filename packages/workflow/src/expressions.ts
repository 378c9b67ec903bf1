import { tokenize } from './expressions-tokens.ts'
import type { Token } from './expressions-tokens.ts'

/*
 * A text may hold templates: `Hello {{ item.account.username }}`. What stands between the braces is one expression in
 * the side-effect-free part of JavaScript that the sandbox evaluates. To write two braces literally, put a backslash
 * before them: `\{{` gives `{{`. A `}}` outside a template needs no escape.
 *
 * An expression sees these names and nothing of the outside world:
 *   inputs    what the run was given            vars      the variables of the workflow
 *   steps     steps.<id>.<output> of each step  item      what the campaign's item binds (account, profile, …)
 *   run       run.id, run.attempt, run.now …    loop      loop.value, loop.index, loop.count, loop.parent
 *   error     the failure, within `catch`       secrets   secrets.<NAME> of the project; only as a fixed name
 *   project   project.<name>, the project's variables as they were when the run began
 */

/** The names that an expression can begin with. */
export const scopeRoots = [
  'inputs',
  'vars',
  'steps',
  'item',
  'run',
  'loop',
  'error',
  'project',
  'secrets',
] as const
/** A name that an expression can begin with. */
export type ScopeRoot = (typeof scopeRoots)[number]

/** A piece of a template: literal text, or an expression to be evaluated. */
export type TemplatePart = { kind: 'text'; text: string } | { kind: 'expression'; expression: string }

/** A template read into its pieces, or why it cannot be read. */
export type ParsedTemplate =
  | { ok: true; parts: TemplatePart[] }
  | { ok: false; code: 'expression.unclosed' | 'expression.empty'; at: number }

/** Whether a text holds a template at all. */
export function hasTemplate(text: string): boolean {
  return text.includes('{{')
}

/** Reads a text into literal pieces and expressions. */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: TemplatePart[] = []
  let literal = ''
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('{{', at)
    if (open === -1) break
    if (open > 0 && text[open - 1] === '\\') {
      literal += `${text.slice(at, open - 1)}{{`
      at = open + 2
      continue
    }
    const close = findClose(text, open + 2)
    if (close === -1) return { ok: false, code: 'expression.unclosed', at: open }
    const expression = text.slice(open + 2, close).trim()
    if (expression === '') return { ok: false, code: 'expression.empty', at: open }
    literal += text.slice(at, open)
    if (literal !== '') parts.push({ kind: 'text', text: literal })
    literal = ''
    parts.push({ kind: 'expression', expression })
    at = close + 2
  }
  literal += text.slice(at)
  if (literal !== '' || parts.length === 0) parts.push({ kind: 'text', text: literal })
  return { ok: true, parts }
}

/** Rewrites the expressions of a template and leaves everything else of it as it is. */
export function rewriteTemplate(text: string, rewrite: (expression: string) => string): string {
  let result = ''
  let at = 0
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    if (open > 0 && text[open - 1] === '\\') {
      result += text.slice(at, open + 2)
      at = open + 2
      continue
    }
    const close = findClose(text, open + 2)
    if (close === -1) break
    result += `${text.slice(at, open + 2)}${rewrite(text.slice(open + 2, close))}}}`
    at = close + 2
  }
  return result + text.slice(at)
}

/** Where an expression stands in a template: between its braces. */
export interface ExpressionSpan {
  from: number
  to: number
  /** Whether braces end it; one that is being written may have none yet. */
  closed: boolean
}

/** Where the expressions of a template stand; one that is not closed goes on to the end. */
export function expressionSpans(text: string): ExpressionSpan[] {
  const spans: ExpressionSpan[] = []
  for (let open = text.indexOf('{{'); open !== -1;) {
    const from = open + 2
    if (open > 0 && text[open - 1] === '\\') {
      open = text.indexOf('{{', from)
      continue
    }
    const close = findClose(text, from)
    spans.push({ from, to: close === -1 ? text.length : close, closed: close !== -1 })
    if (close === -1) break
    open = text.indexOf('{{', close + 2)
  }
  return spans
}

/** Where the `}}` stands that ends an expression; braces and texts inside the expression do not end it. */
function findClose(text: string, from: number): number {
  let depth = 0
  for (const token of tokenize(text, from)) {
    if (token.kind !== 'punctuator') continue
    if (token.text === '{') depth += 1
    else if (token.text === '}') {
      if (depth > 0) depth -= 1
      else return text[token.start + 1] === '}' ? token.start : -1
    }
  }
  return -1
}

/** A plain expression as an author may have written it: braces around the whole of it are taken off. */
export function bareExpression(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{{')) return trimmed
  const parsed = parseTemplate(trimmed)
  const [only] = parsed.ok && parsed.parts.length === 1 ? parsed.parts : []
  return only?.kind === 'expression' ? only.expression : trimmed
}

/** A use of a name of the scope: `steps.read.value` is root `steps`, path `['read', 'value']`. */
export interface Reference {
  root: ScopeRoot
  /** The members that are fixed names; it ends where a member is worked out. */
  path: string[]
  /** The whole path is fixed: nothing after it is worked out. */
  exact: boolean
}

/** What an expression uses: names of the scope, and other free names. */
export interface ExpressionUse {
  references: Reference[]
  unknownNames: string[]
  /** Names of the scope that the expression also binds itself, as in `rows.map((item) => item.id)`. */
  shadowed: ScopeRoot[]
}

/** Names of the language that an expression may use. */
const LANGUAGE_NAMES = new Set(
  (
    'undefined NaN Infinity Math JSON Object Array String Number Boolean Date RegExp Map Set Symbol Error ' +
    'parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI ' +
    'true false null typeof instanceof in of new void delete return if else const let var function this async await ' +
    'for while do switch case default break continue throw try catch finally class extends super yield'
  ).split(' '),
)

const isRoot = (name: string): name is ScopeRoot => (scopeRoots as readonly string[]).includes(name)

/** Finds what an expression uses. Names that it binds itself (arrow parameters, `const`) are not uses. */
export function findReferences(expression: string): ExpressionUse {
  const tokens = [...tokenize(expression, 0)]
  const bound = boundNames(tokens)
  const references: Reference[] = []
  const unknownNames = new Set<string>()
  tokens.forEach((token, index) => {
    if (token.kind !== 'name') return
    const before = tokens[index - 1]?.text
    if (before === '.' || before === '?.') return
    // `{ name: …}` is a key; in `a ? name : b` it stands after `?`.
    const isKey = tokens[index + 1]?.text === ':' && (before === '{' || before === ',')
    if (isKey || bound.has(token.text)) return
    if (isRoot(token.text)) references.push({ root: token.text, ...readPath(tokens, index + 1) })
    else if (!LANGUAGE_NAMES.has(token.text)) unknownNames.add(token.text)
  })
  return { references, unknownNames: [...unknownNames], shadowed: [...bound].filter(isRoot) }
}

function readPath(tokens: Token[], from: number): { path: string[]; exact: boolean } {
  const path: string[] = []
  for (let at = from; ;) {
    const [dot, member, close] = tokens.slice(at, at + 3)
    if ((dot?.text === '.' || dot?.text === '?.') && member?.kind === 'name') {
      path.push(member.text)
      at += 2
    } else if (dot?.text === '?.' && member?.text === '[') {
      at += 1
    } else if (dot?.text === '[' && member?.kind === 'string' && close?.text === ']') {
      path.push(member.text.slice(1, -1))
      at += 3
    } else {
      return { path, exact: dot?.text !== '[' }
    }
  }
}

/** Names that the expression itself introduces. */
function boundNames(tokens: Token[]): Set<string> {
  const bound = new Set<string>()
  tokens.forEach((token, index) => {
    if (token.text === '=>') {
      const before = tokens[index - 1]
      if (before?.kind === 'name') bound.add(before.text)
      else if (before?.text === ')') {
        let depth = 0
        for (let at = index - 1; at >= 0; at -= 1) {
          const current = tokens[at]
          if (!current) break
          if (current.text === ')') depth += 1
          else if (current.text === '(') depth -= 1
          else if (current.kind === 'name') bound.add(current.text)
          if (depth === 0) break
        }
      }
    }
    const next = tokens[index + 1]
    if (['const', 'let', 'var', 'function'].includes(token.text) && next?.kind === 'name')
      bound.add(next.text)
  })
  return bound
}
