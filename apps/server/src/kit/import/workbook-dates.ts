import { unreadable } from './source.ts'
import { attribute, type XmlPart } from './xml.ts'

/** Formats of numbers that every workbook knows and that show a date or a time. */
const isBuiltIn = (id: number) => (id >= 14 && id <= 22) || (id >= 45 && id <= 47)
const FIRST_OWN_FORMAT = 164
/** More than any workbook has: programs that write them stop before. */
const MAX_STYLES = 65_536

/** Reads a workbook's styles: tells of a cell's style whether it shows its number as a date. */
export async function formatOfDates(parts: AsyncIterable<XmlPart>): Promise<(style: number) => boolean> {
  const own = new Set<number>()
  const styles: number[] = []
  let inCells = false
  for await (const part of parts) {
    if (part.kind === 'text') continue
    if (part.name === 'cellXfs') inCells = part.kind === 'open' && !part.empty
    if (part.kind !== 'open') continue
    if (styles.length >= MAX_STYLES || own.size >= MAX_STYLES)
      throw unreadable('the workbook has too many styles')
    const id = Number(attribute(part.attributes, 'numFmtId') ?? 0)
    if (part.name === 'numFmt' && showsDate(attribute(part.attributes, 'formatCode') ?? '')) own.add(id)
    if (inCells && part.name === 'xf') styles.push(id)
  }
  return (style) => {
    const id = styles[style] ?? 0
    return id < FIRST_OWN_FORMAT ? isBuiltIn(id) : own.has(id)
  }
}

/** Whether a format has a year, day or hour outside of quoted words and colours. */
function showsDate(format: string): boolean {
  return /[ydh]/i.test(format.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
}

const DAY_SECONDS = 86_400
/** Day 0 of a workbook's calendar. */
const EPOCH = Date.UTC(1899, 11, 30)

/** The day or, where it is not its beginning, the time of a date's number, as ISO 8601; a workbook knows of no zone. */
export function isoOfSerial(text: string): string | undefined {
  const days = Number(text)
  if (text.trim() === '' || !Number.isFinite(days) || days < 1 || days > 2_958_465) return undefined
  const iso = new Date(EPOCH + Math.round(days * DAY_SECONDS) * 1000).toISOString()
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 19)
}
