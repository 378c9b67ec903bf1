import { crc32, createDeflateRaw } from 'node:zlib'
import { pipeline, Readable } from 'node:stream'

/** A file to put into an archive. */
export interface ZipFile {
  name: string
  content: AsyncIterable<string> | Iterable<string>
}

interface Written {
  name: Buffer
  crc: number
  packed: number
  size: number
  offset: number
}

/** Sizes follow the bytes, so that nothing has to be known before it is written; names are UTF-8. */
const FLAGS = 0x0808
const DEFLATED = 8
const VERSION = 20

/** An archive of these files, one after the other, as a stream: memory holds a piece of one of them at a time. */
export async function* zipOf(files: AsyncIterable<ZipFile> | Iterable<ZipFile>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const file of files) {
    const name = Buffer.from(file.name)
    const begin = header(0x04034b50, [VERSION, FLAGS, DEFLATED, 0, 0x21], [0, 0, 0], [name.length, 0])
    yield Buffer.concat([begin, name])
    const entry: Written = { name, crc: 0, packed: 0, size: 0, offset }
    const packer = createDeflateRaw({ level: 3 })
    // The loop below sees whatever goes wrong; `pipeline` carries it there and closes both ends.
    pipeline(Readable.from(counted(file.content, entry)), packer, () => {})
    for await (const chunk of packer) {
      const bytes: Buffer = Buffer.from(chunk)
      entry.packed += bytes.length
      yield bytes
    }
    yield header(0x08074b50, [], [entry.crc, entry.packed, entry.size], [])
    offset += begin.length + name.length + entry.packed + 16
    written.push(entry)
  }
  yield directory(written, offset)
}

async function* counted(
  content: ZipFile['content'],
  entry: { crc: number; size: number },
): AsyncGenerator<Buffer> {
  for await (const text of content) {
    const bytes = Buffer.from(text)
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    if (bytes.length > 0) yield bytes
  }
}

function directory(written: readonly Written[], offset: number): Buffer {
  const entries = written.map((one) =>
    Buffer.concat([
      header(
        0x02014b50,
        [VERSION, VERSION, FLAGS, DEFLATED, 0, 0x21],
        [one.crc, one.packed, one.size],
        [one.name.length, 0, 0, 0, 0],
      ),
      header(undefined, [], [0, one.offset], []),
      one.name,
    ]),
  )
  const size = entries.reduce((sum, entry) => sum + entry.length, 0)
  const end = header(0x06054b50, [0, 0, written.length, written.length], [size, offset], [0])
  return Buffer.concat([...entries, end])
}

/** A signature, then some numbers of two bytes, of four, and of two. */
function header(
  signature: number | undefined,
  short: readonly number[],
  long: readonly number[],
  last: readonly number[],
): Buffer {
  const bytes = Buffer.alloc(
    (signature === undefined ? 0 : 4) + (short.length + last.length) * 2 + long.length * 4,
  )
  let at = signature === undefined ? 0 : bytes.writeUInt32LE(signature, 0)
  for (const value of short) at = bytes.writeUInt16LE(value, at)
  for (const value of long) at = bytes.writeUInt32LE(value, at)
  for (const value of last) at = bytes.writeUInt16LE(value, at)
  return bytes
}
