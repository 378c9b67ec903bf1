import { runLogMessageSchema } from '@weft/contract/core/events'
import { logLineSchema, type LogLine } from '@weft/contract/runs/schema'

/** How many lines are kept: a stream is for watching, the whole log is on the run's page. */
export const MOST_LINES = 2000

/** A line with the run it comes from. */
export interface StreamLine extends LogLine {
  runId: string
}

/** The lines of a live message; what cannot be read is left out. */
export function linesOf(message: unknown): StreamLine[] {
  const parsed = runLogMessageSchema.safeParse(message)
  if (!parsed.success) return []
  const { runId, lines } = parsed.data
  return lines.flatMap((raw) => {
    const line = logLineSchema.safeParse(raw)
    return line.success ? [{ ...line.data, runId }] : []
  })
}

/** Adds the newest lines and lets go of the oldest. */
export function addLines(known: readonly StreamLine[], added: readonly StreamLine[]): readonly StreamLine[] {
  return added.length === 0 ? known : [...known, ...added].slice(-MOST_LINES)
}

/** Puts lines that were stored before the stream was looked at where they belong in time; none is shown twice. */
export function mergeStored(
  known: readonly StreamLine[],
  stored: readonly StreamLine[],
): readonly StreamLine[] {
  const keyOf = ({ runId, at, text }: StreamLine) => `${runId} ${at} ${text}`
  const there = new Set(known.map(keyOf))
  const added = stored.filter((line) => !there.has(keyOf(line)))
  if (added.length === 0) return known
  return [...added, ...known].sort((a, b) => a.at.localeCompare(b.at)).slice(-MOST_LINES)
}

/** A line as the view shows it: with the item it is about, so that lines of several runs can be told apart. */
export function named(line: StreamLine, names: ReadonlyMap<string, string>): LogLine {
  const { runId, text, ...rest } = line
  const name = names.get(runId)
  return { ...rest, text: name ? `${name}  ${text}` : text }
}
