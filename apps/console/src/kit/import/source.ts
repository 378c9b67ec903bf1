/** How rows are written. */
export type ImportFormat = 'csv' | 'ndjson' | 'lines'

/** Rows to import, from a file or pasted. */
export interface ImportSource {
  format: ImportFormat
  fileName: string | undefined
  body: Blob
}

/** The format that a file's name tells of. */
export function formatOf(fileName: string): ImportFormat {
  if (/\.(ndjson|jsonl|json)$/i.test(fileName)) return 'ndjson'
  return 'csv'
}

/** The format that pasted text looks like: JSON per line, a table with named columns, or, where allowed, plain lines. */
export function guessFormat(text: string, allowsLines: boolean): ImportFormat {
  const first = text.trimStart().split(/\r?\n/, 1)[0] ?? ''
  if (first.startsWith('{')) return 'ndjson'
  if (/[,;\t]/.test(first)) return 'csv'
  return allowsLines ? 'lines' : 'csv'
}

/** A mapping with one field taken from another column, or from none. */
export function remap(
  mapping: Readonly<Record<string, string>>,
  field: string,
  column: string | null,
): Record<string, string> {
  const { [field]: _old, ...others } = mapping
  return column === null ? others : { ...others, [field]: column }
}
