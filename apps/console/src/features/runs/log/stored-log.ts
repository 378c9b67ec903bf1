import type { LogLine } from '@weft/contract/runs/schema'

/** How much of a long log is read at first: its end, where things happen. */
export const TAIL_BYTES = 256 * 1024
/** How much further a reading of earlier lines reaches: longer than any line. */
export const OVERLAP_BYTES = 64 * 1024
/** What a page of lines keeps at most; a log of hours would fill the memory. */
export const MOST_LINES = 20_000

/** The lines read so far: from which byte on, and up to which. */
export interface ReadLog {
  lines: readonly LogLine[]
  start: number
  next: number
  size: number
}

/** Where reading begins. */
export function beginAt(size: number): number {
  return Math.max(0, size - TAIL_BYTES)
}

/** Adds what was read on from `log.next`; an answer that does not fit there is left out. */
export function addLater(
  log: ReadLog,
  answer: { lines: readonly LogLine[]; next: number; size: number },
  from: number,
): ReadLog {
  if (from !== log.next) return log
  const lines = answer.lines.length === 0 ? log.lines : [...log.lines, ...answer.lines].slice(-MOST_LINES)
  return { ...log, lines, next: answer.next, size: answer.size }
}

/**
 * Adds what stands before `log.start`. The answer reaches somewhat further, for the line that `start` cut in two; what is
 * there already is cut off it.
 */
export function addEarlier(log: ReadLog, answer: { lines: readonly LogLine[] }, from: number): ReadLog {
  const first = log.lines[0]
  const known = first ? answer.lines.findLastIndex((line) => isSame(line, first)) : -1
  const earlier = known < 0 ? answer.lines : answer.lines.slice(0, known)
  return { ...log, lines: [...earlier, ...log.lines], start: from }
}

function isSame(a: LogLine, b: LogLine): boolean {
  return a.at === b.at && a.level === b.level && a.stepId === b.stepId && a.text === b.text
}
