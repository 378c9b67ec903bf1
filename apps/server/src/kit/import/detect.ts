import { IMPORT_SEPARATORS, type IMPORT_ENCODINGS, type IMPORT_FORMATS } from '@weft/contract/imports/schema'
import type { LineForm } from './source.ts'

/** How bytes are written as text. */
export type Encoding = (typeof IMPORT_ENCODINGS)[number]
/** What parts the values of a row. */
export type Separator = (typeof IMPORT_SEPARATORS)[number]
/** How rows are written, once it is known. */
export type RowFormat = Exclude<(typeof IMPORT_FORMATS)[number], 'auto'>

/** Bytes that can be read from their start as often as one likes. */
export interface Bytes {
  stream(): AsyncIterable<Uint8Array>
}

const HEAD = 64 * 1024

/** Tells the format of a text by its begin. */
export async function formatOf(
  bytes: Bytes,
  encoding: Encoding,
  form: LineForm | undefined,
): Promise<Exclude<RowFormat, 'xlsx'>> {
  const text = new TextDecoder(encoding).decode(await headOf(bytes)).trimStart()
  if (text.startsWith('[')) return 'json'
  const [first = '', ...others] = text.split('\n').filter((line) => line.trim() !== '')
  if (text.startsWith('{')) return isWholeRow(first, others.length > 0) ? 'ndjson' : 'json'
  return form && form.read(first.trim()).problem === undefined ? 'lines' : 'csv'
}

/** Whether bytes begin as a ZIP archive does, which every workbook is. */
export async function isZip(bytes: Bytes): Promise<boolean> {
  const head = await headOf(bytes, 4)
  return head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4
}

/** An object in a line of its own is a row, unless it is the only one and holds the rows. */
function isWholeRow(line: string, more: boolean): boolean {
  try {
    const value: unknown = JSON.parse(line)
    const holdsRows =
      typeof value === 'object' &&
      value !== null &&
      Object.values(value).some((member) => Array.isArray(member) && typeof member[0] === 'object')
    return more || !holdsRows
  } catch {
    return false
  }
}

/** The first bytes of an upload. */
export async function headOf(bytes: Bytes, size = HEAD): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes.stream()) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= size) break
  }
  return Buffer.concat(chunks).subarray(0, size)
}

/** Tells how text is written: by its mark, by its zeros, by being UTF-8, or by how letters beyond ASCII stand together. */
export async function encodingOf(bytes: Bytes): Promise<Encoding> {
  const head = await headOf(bytes)
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const wide = byZeros(head)
  if (wide) return wide
  if (await isUtf8(bytes)) return 'utf-8'
  return arabicLooking(await highBytes(bytes)) ? 'windows-1256' : 'windows-1252'
}

/** In UTF-16, most of the characters of a table have a zero on one side and none on the other. */
function byZeros(head: Uint8Array): Encoding | undefined {
  if (head.length < 4) return undefined
  const zeros = [0, 0]
  for (let at = 0; at < head.length; at += 1) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = head.length / 8
  if (odd > many && even * 10 < odd) return 'utf-16le'
  if (even > many && odd * 10 < even) return 'utf-16be'
  return undefined
}

async function isUtf8(bytes: Bytes): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes.stream()) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** The first part of an upload that has bytes beyond ASCII. */
async function highBytes(bytes: Bytes): Promise<Uint8Array> {
  for await (const chunk of bytes.stream()) if (chunk.some((byte) => byte >= 0x80)) return chunk
  return new Uint8Array()
}

/** Arabic words are of such letters alone; in western words one stands among plain ones. */
function arabicLooking(sample: Uint8Array): boolean {
  let letters = 0
  let joined = 0
  for (let at = 0; at < sample.length; at += 1) {
    if ((sample[at] ?? 0) < 0xc0) continue
    letters += 1
    if ((sample[at - 1] ?? 0) >= 0xc0 || (sample[at + 1] ?? 0) >= 0xc0) joined += 1
  }
  return letters > 0 && joined * 2 > letters
}

/** The separator that the first line uses most, outside of quotes. */
export function separatorOf(firstLine: string): Separator {
  const bare = firstLine.replaceAll(/"[^"]*"/g, '')
  const count = (separator: Separator) => bare.split(separator).length - 1
  return IMPORT_SEPARATORS.reduce<Separator>((best, one) => (count(one) > count(best) ? one : best), ',')
}
