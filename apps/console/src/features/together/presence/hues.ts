/** How many colours there are for people; the style sheet has as many. */
export const HUES = 8

/** The colour of somebody, the same on every page. */
export function hueOf(userId: string): number {
  let sum = 0
  for (const letter of userId) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0
  return sum % HUES
}

/** The colours of several, each their own as long as there are enough. */
export function huesOf(userIds: readonly string[]): Map<string, number> {
  const hues = new Map<string, number>()
  const taken = new Set<number>()
  for (const userId of userIds) {
    let hue = hueOf(userId)
    for (let tries = 0; taken.has(hue) && tries < HUES; tries += 1) hue = (hue + 1) % HUES
    taken.add(hue)
    hues.set(userId, hue)
  }
  return hues
}

/** One or two letters that stand for a name. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._@+-]+/u).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters
    .map((word) => /^./u.exec(word ?? '')?.[0] ?? '')
    .join('')
    .toLocaleUpperCase()
}
