import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

/** A file in a ZIP archive. */
export interface ZipEntry {
  name: string
  method: number
  compressedSize: number
  offset: number
}

/** An archive that is not one, or that this reader does not take. */
export class ZipError extends Error {
  override name = 'ZipError'
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const MAX_ENTRIES = 2000

/** The files of an archive, by name. */
export function zipEntries(bytes: Buffer): ReadonlyMap<string, ZipEntry> {
  const end = endOf(bytes)
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (count > MAX_ENTRIES) throw new ZipError('too many files')
  const entries = new Map<string, ZipEntry>()
  for (let n = 0; n < count; n += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw new ZipError('a damaged directory')
    if ((bytes.readUInt16LE(at + 8) & 1) === 1) throw new ZipError('an encrypted file')
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    entries.set(name, {
      name,
      method: bytes.readUInt16LE(at + 10),
      compressedSize: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** Where the directory's end stands: within the last bytes, before a comment of any length. */
function endOf(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 65_557); at -= 1)
    if (bytes.readUInt32LE(at) === END) return at
  throw new ZipError('no directory')
}

/**
 * The bytes of a file as they are unpacked, a piece at a time. `budget` is what may be unpacked in all: what small bytes
 * claim to hold is not believed.
 */
export async function* zipBytes(
  bytes: Buffer,
  entry: ZipEntry,
  budget: { left: number },
): AsyncGenerator<Buffer> {
  const { offset, compressedSize, method } = entry
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL) throw new ZipError('a damaged file')
  const begin = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  if (begin + compressedSize > bytes.length) throw new ZipError('a file that ends too soon')
  const packed = bytes.subarray(begin, begin + compressedSize)
  if (method !== 0 && method !== 8) throw new ZipError('an unknown packing')
  const pieces = method === 0 ? Readable.from([packed]) : inflated(packed)
  try {
    for await (const piece of pieces) {
      const chunk: Buffer = Buffer.from(piece)
      budget.left -= chunk.length
      if (budget.left < 0) throw new ZipError('more content than can be taken')
      yield chunk
    }
  } catch (error) {
    if (error instanceof ZipError) throw error
    throw new ZipError('a damaged file', { cause: error })
  } finally {
    pieces.destroy()
  }
}

function inflated(packed: Buffer): Readable {
  const inflate = createInflateRaw()
  // Whoever reads sees whatever goes wrong; `pipeline` carries it there and closes both ends.
  pipeline(Readable.from(slices(packed)), inflate, () => {})
  return inflate
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
