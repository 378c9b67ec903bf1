/** Levels from the least to the most important. */
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** One line of a log. */
export interface LogRow {
  at: string
  level: string
  stepId?: string | null
  text: string
}

/** The lines of a level and above that hold a text. */
export function filterLines(lines: readonly LogRow[], query: string, level: string): readonly LogRow[] {
  const least = LEVELS.findIndex((one) => one === level)
  const wanted = query.trim().toLowerCase()
  if (least <= 0 && wanted === '') return lines
  return lines.filter((line) => {
    const rank = LEVELS.findIndex((one) => one === line.level)
    return (rank < 0 || rank >= least) && (wanted === '' || line.text.toLowerCase().includes(wanted))
  })
}
