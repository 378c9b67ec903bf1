/** The change of a figure to the period before, as a fraction; null where there is nothing to compare with. */
export function changeOf(now: number | null | undefined, previous: number | null | undefined): number | null {
  if (now === null || now === undefined || previous === null || previous === undefined) return null
  if (previous === 0) return now === 0 ? 0 : null
  return (now - previous) / previous
}
