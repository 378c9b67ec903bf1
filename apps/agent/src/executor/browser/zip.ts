import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, deflateRaw, inflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const STORED = 0
const DEFLATED = 8

interface Entry {
  name: Buffer
  method: number
  crc: number
  size: number
  packed: Buffer
}

/** Reads the entries of a zip archive of ordinary size, by its directory. */
function readEntries(archive: Buffer): Entry[] {
  let end = archive.length - 22
  while (end >= 0 && archive.readUInt32LE(end) !== END) end -= 1
  if (end < 0) throw new Error('This is no zip archive.')
  const entries: Entry[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('The directory of the archive is damaged.')
    const packedSize = archive.readUInt32LE(at + 20)
    const nameLength = archive.readUInt16LE(at + 28)
    const local = archive.readUInt32LE(at + 42)
    const data = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    entries.push({
      name: archive.subarray(at + 46, at + 46 + nameLength),
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      size: archive.readUInt32LE(at + 24),
      packed: archive.subarray(data, data + packedSize),
    })
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

function writeEntries(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, method, crc, size, packed } of entries) {
    // The fields from "version needed" to "extra length" are the same in both headers.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc, 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(name.length, 22)
    files.push(signature(LOCAL), common, name, packed)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(signature(ENTRY), Buffer.from([20, 0]), common, tail, name)
    offset += 30 + name.length + packed.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listing.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, listing, signature(END), end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Rewrites every entry of an archive in place; `change` gives the new content, or undefined to leave it. */
export async function rewriteZip(
  path: string,
  change: (content: Buffer) => Buffer | undefined,
): Promise<void> {
  const entries: Entry[] = []
  for (const entry of readEntries(await readFile(path))) {
    const content = entry.method === DEFLATED ? await inflate(entry.packed) : entry.packed
    const changed = entry.method === DEFLATED || entry.method === STORED ? change(content) : undefined
    if (!changed) {
      entries.push(entry)
      continue
    }
    entries.push({
      name: entry.name,
      method: DEFLATED,
      crc: crc32(changed),
      size: changed.length,
      packed: await deflate(changed),
    })
  }
  await writeFile(path, writeEntries(entries), { mode: 0o600 })
}

/** The contents of an archive by name. */
export async function readZip(path: string): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  for (const { name, method, packed } of readEntries(await readFile(path)))
    contents.set(name.toString('utf8'), method === DEFLATED ? await inflate(packed) : packed)
  return contents
}
