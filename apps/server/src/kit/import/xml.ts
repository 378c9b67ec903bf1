import { unreadable } from './source.ts'

/** A part of an XML document as it is read. */
export type XmlPart =
  | { kind: 'open'; name: string; attributes: string; empty: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

const MAX_TAG = 65_536
const MAX_TEXT = 4_000_000

/**
 * Reads XML piece by piece: tags, with their namespace's prefix left off, and texts. It knows no document types, so no
 * entity but the five of XML itself means anything.
 */
export async function* xmlParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<XmlPart> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    rest += decoder.decode(piece, { stream: true })
    const { parts, left } = cut(rest)
    yield* parts
    rest = left
  }
  const { parts, left } = cut(rest + decoder.decode())
  yield* parts
  if (left.trim() !== '') throw unreadable('the workbook is damaged')
}

/** All whole parts at the begin of a text, and what is left of it. */
function cut(text: string): { parts: XmlPart[]; left: string } {
  const parts: XmlPart[] = []
  let at = 0
  for (;;) {
    const open = text.indexOf('<', at)
    if (open === -1) break
    const end = endOfTag(text, open)
    if (end === -1) break
    if (open > at) parts.push({ kind: 'text', text: unescaped(text.slice(at, open)) })
    const part = tagOf(text.slice(open, end))
    if (part) parts.push(part)
    at = end
  }
  const left = text.slice(at)
  const open = left.indexOf('<')
  if ((open === -1 ? left.length : open) > MAX_TEXT) throw unreadable('a cell is too long')
  if (open !== -1 && left.length - open > MAX_TAG && !left.startsWith('<![CDATA[', open))
    throw unreadable('the workbook is damaged')
  if (left.length > 2 * MAX_TEXT) throw unreadable('a cell is too long')
  return { parts, left }
}

function endOfTag(text: string, open: number): number {
  const after = (end: string) => {
    const found = text.indexOf(end, open)
    return found === -1 ? -1 : found + end.length
  }
  if (text.startsWith('<!--', open)) return after('-->')
  if (text.startsWith('<![CDATA[', open)) return after(']]>')
  let quote = ''
  for (let at = open + 1; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at + 1
  }
  return -1
}

function tagOf(tag: string): XmlPart | undefined {
  if (tag.startsWith('<![CDATA[')) return { kind: 'text', text: tag.slice(9, -3) }
  if (tag.startsWith('<!--') || tag.startsWith('<?')) return undefined
  if (tag.startsWith('<!')) throw unreadable('the workbook has a document type')
  const closing = tag.startsWith('</')
  const found = /^<\/?(?:[\w.-]+:)?([\w.-]+)/.exec(tag)
  const name = found?.[1]
  if (name === undefined) throw unreadable('the workbook is damaged')
  if (closing) return { kind: 'close', name }
  return { kind: 'open', name, attributes: tag.slice(found?.[0].length ?? 0), empty: tag.endsWith('/>') }
}

const patterns = new Map<string, RegExp>()

/** The value of an attribute, whatever its prefix. */
export function attribute(attributes: string, name: string): string | undefined {
  const pattern = patterns.get(name) ?? new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  patterns.set(name, pattern)
  const found = pattern.exec(attributes)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : unescaped(value)
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return NAMED[name] ?? whole
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
