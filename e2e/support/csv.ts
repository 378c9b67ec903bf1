/** The rows of a CSV file as a spreadsheet reads them, each by the names in its first line. */
export function parseCsv(text: string): Record<string, string>[] {
  const [names = [], ...rows] = cells(text.replace(/^\uFEFF/, ''))
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])))
}

function cells(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const [whole, quoted, plain = '', end] = match
    // The match of nothing at the very end is not one more row.
    if (whole === '' && row.length === 0) break
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
