import { tokenize, type Token } from './expressions-tokens.ts'

/** An expression that compares one thing with another. */
export interface Comparison {
  left: string
  operator: string
  right: string
}

const OPENING = new Set(['(', '[', '{'])
const CLOSING = new Set([')', ']', '}'])
/** What makes more of an expression than one comparison. */
const JOINING = new Set(['&', '|', '?', ',', ';', '=>'])
const SIGNS = /^[=!<>]$/
const OPERATOR = /^(===|!==|==|!=|<=|>=|<|>)!*$/

/**
 * The two sides of an expression that is one comparison, so that it can be said what was found and what was expected; null
 * for every other expression.
 */
export function comparisonIn(expression: string): Comparison | null {
  let depth = 0
  let found: { at: number; operator: string } | null = null
  let run: Token[] = []
  const takeRun = (): boolean => {
    const [first] = run
    const operator = OPERATOR.exec(run.map(({ text }) => text).join(''))?.[1]
    const only = run.every(({ text }) => text === '!')
    run = []
    if (!first || only) return true
    if (operator === undefined || found) return false
    found = { at: first.start, operator }
    return true
  }
  for (const token of tokenize(expression, 0)) {
    const sign = token.kind === 'punctuator' && depth === 0 && SIGNS.test(token.text)
    const last = run.at(-1)
    if (sign && (!last || last.start + 1 === token.start)) {
      run.push(token)
      continue
    }
    if (!takeRun()) return null
    if (sign) run.push(token)
    if (token.kind !== 'punctuator') continue
    if (OPENING.has(token.text)) depth += 1
    else if (CLOSING.has(token.text)) depth -= 1
    else if (depth === 0 && JOINING.has(token.text)) return null
  }
  if (run.length > 0 || !found) return null
  const { at, operator }: { at: number; operator: string } = found
  const left = expression.slice(0, at).trim()
  const right = expression.slice(at + operator.length).trim()
  return left === '' || right === '' ? null : { left, operator, right }
}
