/** The first letters of a name's first and last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends.map((word) => firstLetter(word ?? '')).join('')
}

function firstLetter(word: string): string {
  const [segment] = new Intl.Segmenter().segment(word)
  return segment?.segment.toUpperCase() ?? ''
}
