import { expressionSpans, findReferences, parseTemplate } from '@weft/workflow/expressions'
import { tokenize } from '@weft/workflow/expressions-tokens'
import type { Problem } from '@weft/workflow/validate'

/** Which part of a field's text a problem is about; null where it is about the whole. */
export function problemSpot(
  { code, params }: Problem,
  text: string,
  isExpression: boolean,
): { from: number; to: number } | null {
  if (code === 'expression.unclosed' || code === 'expression.empty') {
    const parsed = parseTemplate(text)
    return parsed.ok ? null : { from: parsed.at, to: endOfLine(text, parsed.at) }
  }
  const wanted = PATHS[code]?.(params)
  if (!wanted) return null
  const spans =
    isExpression && !text.trimStart().startsWith('{{')
      ? [{ from: 0, to: text.length }]
      : expressionSpans(text)
  for (const { from, to } of spans) {
    const spot = findPath(text.slice(from, to), wanted)
    if (spot) return { from: from + spot.from, to: from + spot.to }
  }
  return null
}

type Params = Problem['params']

/** The path that a kind of problem names. */
const PATHS: Partial<Record<Problem['code'], (params: Params) => string[]>> = {
  'expression.unknown_input': ({ name }) => ['inputs', String(name)],
  'expression.unknown_variable': ({ name }) => ['vars', String(name)],
  'expression.unknown_item': ({ name }) => ['item', String(name)],
  'expression.unknown_step': ({ step }) => ['steps', String(step)],
  'expression.unknown_output': ({ step, output }) => ['steps', String(step), String(output)],
  'expression.step_not_yet': ({ step }) => ['steps', String(step)],
  'expression.unknown_name': ({ name }) => [String(name)],
  'expression.unknown_secret': ({ name }) => ['secrets', String(name)],
  'expression.unknown_project_variable': ({ name }) => ['project', String(name)],
  'expression.secret_not_fixed': () => ['secrets'],
  'expression.outside_loop': () => ['loop'],
  'expression.outside_catch': () => ['error'],
}

/** Where a dotted path stands in an expression, as a use and not as a member of something else. */
function findPath(expression: string, path: readonly string[]): { from: number; to: number } | null {
  const { shadowed } = findReferences(expression)
  if (shadowed.some((root) => root === path[0])) return null
  const tokens = [...tokenize(expression, 0)]
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]?.text
    if (token.kind !== 'name' || token.text !== path[0] || before === '.' || before === '?.') continue
    let last = token
    const fits = path.slice(1).every((name, at) => {
      const dot = tokens[index + 1 + at * 2]?.text
      const member = tokens[index + 2 + at * 2]
      if ((dot !== '.' && dot !== '?.') || member?.text !== name) return false
      last = member
      return true
    })
    if (fits) return { from: token.start, to: last.start + last.text.length }
  }
  return null
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
