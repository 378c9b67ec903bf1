/** Folds case and accents, so that `acces` finds "Accès". */
export function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Whether every word of a query is somewhere in a text. */
export function matches(text: string, query: string): boolean {
  const haystack = folded(text)
  return folded(query)
    .split(/\s+/)
    .every((word) => haystack.includes(word))
}
