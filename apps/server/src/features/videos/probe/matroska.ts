import { codecName, durationOf, sideOf, type ByteSource, type VideoFacts } from './source.ts'

const ID = {
  header: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  codec: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cluster: 0x1f43b675,
  clusterTime: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
} as const

interface Element {
  id: number
  start: number
  end: number
  /** It goes on until something follows that cannot be in it. */
  open: boolean
}

const ELEMENTS_MAX = 20_000
const VIDEO_TRACK = 1
/** A recording that nobody finished says no duration: its last part is looked through for the last picture. */
const TAIL_BYTES = 4 * 1024 * 1024

/** Whether the first bytes are those of WebM or Matroska. */
export function looksLikeMatroska(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32BE(0) === ID.header
}

class Elements {
  #left = ELEMENTS_MAX
  readonly #source: ByteSource

  constructor(source: ByteSource) {
    this.#source = source
  }

  async *between(start: number, end: number): AsyncGenerator<Element> {
    for (let at = start; at < end;) {
      if (this.#left-- <= 0) return
      const element = elementAt(await this.#source.read(at, 12), at, end)
      if (!element) return
      yield element
      at = element.end
    }
  }

  /** The values of a parent's children by their ids; the first of each. */
  async values(parent: Element): Promise<Map<number, Element>> {
    const found = new Map<number, Element>()
    for await (const child of this.between(parent.start, parent.end))
      if (!found.has(child.id)) found.set(child.id, child)
    return found
  }

  async bytes({ start, end }: Element, most: number): Promise<Buffer> {
    return this.#source.read(start, Math.min(most, end - start))
  }

  async number(element: Element | undefined): Promise<number> {
    if (!element) return 0
    const bytes = await this.bytes(element, 8)
    return bytes.length === 0 || bytes.length > 6 ? longNumber(bytes) : bytes.readUIntBE(0, bytes.length)
  }

  async float(element: Element | undefined): Promise<number> {
    if (!element) return 0
    const bytes = await this.bytes(element, 8)
    if (bytes.length === 4) return bytes.readFloatBE(0)
    return bytes.length === 8 ? bytes.readDoubleBE(0) : 0
  }

  async text(element: Element | undefined): Promise<string> {
    return element ? (await this.bytes(element, 64)).toString('latin1').replace(/\0.*$/s, '') : ''
  }
}

const longNumber = (bytes: Buffer) => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

/** The element whose header these bytes are; undefined where they are none, or it would reach beyond its parent. */
function elementAt(bytes: Buffer, at: number, limit: number): Element | undefined {
  const idLength = lengthOf(bytes[0], 4)
  if (idLength === undefined || bytes.length < idLength + 1) return undefined
  const sizeLength = lengthOf(bytes[idLength], 8)
  if (sizeLength === undefined || bytes.length < idLength + sizeLength) return undefined
  const sizeBytes = bytes.subarray(idLength, idLength + sizeLength)
  const marker = 2 ** (8 - sizeLength)
  const first = (sizeBytes[0] ?? 0) - marker
  const rest = sizeBytes.subarray(1)
  const open = first === marker - 1 && rest.every((byte) => byte === 0xff)
  const size = rest.reduce((sum, byte) => sum * 256 + byte, first)
  const start = at + idLength + sizeLength
  const end = open ? limit : start + size
  if (!Number.isSafeInteger(end) || end > limit) return undefined
  return { id: bytes.readUIntBE(0, idLength), start, end, open }
}

/** How many bytes a number of this form has: as many zeros as stand before its first one, and one more. */
function lengthOf(first: number | undefined, most: number): number | undefined {
  const length = Math.clz32(first ?? 0) - 23
  return length >= 1 && length <= most ? length : undefined
}

/** Reads a WebM or Matroska file; undefined where it has no picture that moves. */
export async function readMatroska(source: ByteSource): Promise<VideoFacts | undefined> {
  const elements = new Elements(source)
  let container: 'webm' | 'mkv' = 'mkv'
  for await (const top of elements.between(0, source.size)) {
    if (top.id === ID.header) {
      const values = await elements.values(top)
      container = (await elements.text(values.get(ID.docType))) === 'webm' ? 'webm' : 'mkv'
    }
    if (top.id === ID.segment) return readSegment(elements, source, top, container)
  }
  return undefined
}

async function readSegment(
  elements: Elements,
  source: ByteSource,
  segment: Element,
  container: 'webm' | 'mkv',
): Promise<VideoFacts | undefined> {
  let picture: Awaited<ReturnType<typeof readTracks>>
  let scale = 1_000_000
  let ticks = 0
  for await (const part of elements.between(segment.start, segment.end)) {
    if (part.id === ID.info) {
      const values = await elements.values(part)
      scale = (await elements.number(values.get(ID.timestampScale))) || scale
      ticks = await elements.float(values.get(ID.duration))
    }
    if (part.id === ID.tracks) picture = await readTracks(elements, part)
    // What describes the file stands before its pictures, whose number may be great.
    if (part.id === ID.cluster) break
  }
  if (!picture) return undefined
  const duration = ticks > 0 ? ticks : await lastTime(source)
  return { container, ...picture, durationMs: durationOf((duration * scale) / 1e9) }
}

async function readTracks(elements: Elements, tracks: Element) {
  for await (const track of elements.between(tracks.start, tracks.end)) {
    if (track.id !== ID.track) continue
    const values = await elements.values(track)
    if ((await elements.number(values.get(ID.trackType))) !== VIDEO_TRACK) continue
    const video = values.get(ID.video)
    const sides = video ? await elements.values(video) : new Map<number, Element>()
    return {
      codec: codecName(await elements.text(values.get(ID.codec))),
      width: sideOf(await elements.number(sides.get(ID.pixelWidth))),
      height: sideOf(await elements.number(sides.get(ID.pixelHeight))),
    }
  }
  return undefined
}

const CLUSTER_BYTES = Buffer.from([0x1f, 0x43, 0xb6, 0x75])

/** The time of the last picture, in ticks; 0 where the end does not tell. */
async function lastTime(source: ByteSource): Promise<number> {
  const from = Math.max(0, source.size - TAIL_BYTES)
  const tail = await source.read(from, TAIL_BYTES)
  const at = tail.lastIndexOf(CLUSTER_BYTES)
  const cluster = at < 0 ? undefined : elementAt(tail.subarray(at, at + 12), at, tail.length)
  if (!cluster) return 0
  const elements = new Elements(inMemory(tail))
  let begin = 0
  let last = 0
  for await (const part of elements.between(cluster.start, cluster.end)) {
    if (part.id === ID.clusterTime) begin = await elements.number(part)
    const block = part.id === ID.blockGroup ? (await elements.values(part)).get(ID.block) : part
    if (block && (block.id === ID.simpleBlock || block.id === ID.block)) {
      // A track number of one byte, then the time from the cluster's on.
      const head = await elements.bytes(block, 3)
      if (head.length === 3) last = Math.max(last, head.readInt16BE(1))
    }
  }
  return begin + last
}

function inMemory(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)),
  }
}
