/** Texts by feature, out of a glob of `features/<feature>/i18n/<language>.json`. */
export function byFeature(files: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [/\/features\/([^/]+)\//.exec(path)?.[1] ?? path, texts]),
  )
}
