import type { Commenter } from '@weft/contract/workflow-comments/schema'

/** A piece of a comment: plain words, or the name of somebody who was told. */
export type Piece = { text: string } | { person: Commenter; text: string }

/** Cuts a comment at the names of those who were told. */
export function piecesOf(text: string, mentions: readonly Commenter[]): Piece[] {
  if (mentions.length === 0) return [{ text }]
  // The longest first, so that `@ann.lee` is not taken for `@ann`.
  const people = mentions.toSorted((a, b) => b.username.length - a.username.length)
  const names = people.map(({ username }) => username.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}._@+\-])@(?:${names.join('|')})(?![\p{L}\p{N}])`,
    'giu',
  )
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const name = found.slice(1).toLowerCase()
    const person = people.find(({ username }) => username.toLowerCase() === name)
    if (!person) continue
    if (index > at) pieces.push({ text: text.slice(at, index) })
    pieces.push({ person, text: found })
    at = index + found.length
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}

/** The name that is being typed before the caret: what follows its `@`, and where that stands. */
export function nameAt(text: string, caret: number): { q: string; from: number } | null {
  const found = /(?<![\p{L}\p{N}._@+-])@([\p{L}\p{N}._+-]{0,64})$/u.exec(text.slice(0, caret))
  return found ? { q: found[1] ?? '', from: found.index } : null
}

/** The text with somebody's name in place of what was typed of it, and where the caret goes then. */
export function withName(
  text: string,
  from: number,
  caret: number,
  username: string,
): { text: string; caret: number } {
  const rest = text.slice(caret)
  const name = `@${username}${/^\s/u.test(rest) ? '' : ' '}`
  return { text: text.slice(0, from) + name + rest, caret: from + name.length }
}
