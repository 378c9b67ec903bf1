/** The page of a run. */
export function runPath(id: string): string {
  return `/cms/run/info/${id}`
}
