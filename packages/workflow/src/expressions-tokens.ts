/** A piece of an expression; strings keep their quotes. */
export interface Token {
  kind: 'name' | 'string' | 'number' | 'regex' | 'punctuator'
  text: string
  start: number
}

const NAME_START = /[\p{ID_Start}$_]/u
const NAME = /[\p{ID_Continue}$]/u
/** Template literals within template literals recurse; a text made of them must not exhaust the stack. */
const MAX_NESTED_LITERALS = 20

/**
 * Cuts JavaScript into tokens well enough to find names and the end of a template. It never fails: what it cannot read
 * becomes a one-character punctuator, and the sandbox reports the syntax error.
 */
export function* tokenize(text: string, from: number, depth = 0): Generator<Token> {
  let at = from
  let previous: Token | undefined
  while (at < text.length) {
    const char = text.charAt(at)
    if (/\s/.test(char)) {
      at += 1
      continue
    }
    const start = at
    let token: Token
    if (NAME_START.test(char)) {
      at += 1
      while (at < text.length && NAME.test(text.charAt(at))) at += 1
      token = { kind: 'name', text: text.slice(start, at), start }
    } else if (/[0-9]/.test(char)) {
      at += 1
      while (at < text.length && /[0-9A-Za-z_.]/.test(text.charAt(at))) at += 1
      token = { kind: 'number', text: text.slice(start, at), start }
    } else if (char === '"' || char === "'") {
      at = skipQuoted(text, at, char)
      token = { kind: 'string', text: text.slice(start, at), start }
    } else if (char === '`') {
      const inner: Token[] = []
      at = depth < MAX_NESTED_LITERALS ? skipTemplateLiteral(text, at, inner, depth + 1) : text.length
      yield* inner
      token = { kind: 'string', text: text.slice(start, at), start }
    } else if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
      continue
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      at = end === -1 ? text.length : end + 2
      continue
    } else if (char === '/' && startsRegex(previous)) {
      at = skipRegex(text, at)
      token = { kind: 'regex', text: text.slice(start, at), start }
    } else {
      const long = ['...', '=>', '?.'].find((sign) => text.startsWith(sign, at))
      at += long?.length ?? 1
      token = { kind: 'punctuator', text: text.slice(start, at), start }
    }
    yield token
    previous = token
  }
}

function skipQuoted(text: string, from: number, quote: string): number {
  let at = from + 1
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
  return Math.min(at + 1, text.length)
}

/** Skips a template literal, collecting the tokens of its `${…}` parts. */
function skipTemplateLiteral(text: string, from: number, inner: Token[], level: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '\\') at += 2
    else if (text.startsWith('${', at)) {
      let depth = 0
      let end = text.length
      for (const token of tokenize(text, at + 2, level)) {
        if (token.text === '{') depth += 1
        else if (token.text === '}') {
          if (depth === 0) {
            end = token.start + 1
            break
          }
          depth -= 1
        }
        inner.push(token)
      }
      at = end
    } else at += 1
  }
  return Math.min(at + 1, text.length)
}

/** A slash begins a regular expression where a value is expected, and divides after a value. */
function startsRegex(previous: Token | undefined): boolean {
  if (!previous) return true
  if (previous.kind === 'name')
    return ['return', 'typeof', 'in', 'of', 'void', 'delete'].includes(previous.text)
  return previous.kind === 'punctuator' && ![')', ']', '}'].includes(previous.text)
}

function skipRegex(text: string, from: number): number {
  let at = from + 1
  let inClass = false
  while (at < text.length && (inClass || text[at] !== '/')) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '[') inClass = true
    else if (text[at] === ']') inClass = false
    at += 1
  }
  at += 1
  while (at < text.length && NAME.test(text.charAt(at))) at += 1
  return Math.min(at, text.length)
}
