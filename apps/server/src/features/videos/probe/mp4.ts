import { codecName, durationOf, sideOf, type ByteSource, type VideoFacts } from './source.ts'

interface Box {
  type: string
  /** Where its content begins and ends. */
  start: number
  end: number
}

/** A file with more boxes than this where they are looked for is not a video that anybody made to be seen. */
const BOXES_MAX = 20_000

/** First boxes of QuickTime files from before there was `ftyp`. */
const OLD_QUICKTIME = new Set(['moov', 'wide', 'mdat', 'free', 'skip', 'pnot'])

/** Reads boxes one by one, by their headers alone, and gives up on a file that has too many. */
class Boxes {
  #left = BOXES_MAX
  readonly #source: ByteSource

  constructor(source: ByteSource) {
    this.#source = source
  }

  /** The boxes between two places; ends quietly where one does not fit into its parent. */
  async *between(start: number, end: number): AsyncGenerator<Box> {
    for (let at = start; at + 8 <= end;) {
      if (this.#left-- <= 0) return
      const head = await this.#source.read(at, 16)
      if (head.length < 8) return
      const short = head.readUInt32BE(0)
      const long = short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : undefined
      const header = long === undefined ? 8 : 16
      const size = long ?? (short === 0 ? end - at : short)
      if (size < header || at + size > end) return
      yield { type: head.toString('latin1', 4, 8), start: at + header, end: at + size }
      at += size
    }
  }

  /** The first box of these types, one inside the other. */
  async find(parent: Box, ...path: string[]): Promise<Box | undefined> {
    let at = parent
    for (const type of path) {
      const next = await this.#child(at, type)
      if (!next) return undefined
      at = next
    }
    return at
  }

  async #child(parent: Box, type: string): Promise<Box | undefined> {
    for await (const box of this.between(parent.start, parent.end)) if (box.type === type) return box
    return undefined
  }

  async bytes(box: Box, most: number): Promise<Buffer> {
    return this.#source.read(box.start, Math.min(most, box.end - box.start))
  }
}

/** Whether the first bytes are those of MP4 or QuickTime. */
export function looksLikeMp4(head: Buffer): boolean {
  const type = head.toString('latin1', 4, 8)
  return head.length >= 8 && (type === 'ftyp' || OLD_QUICKTIME.has(type))
}

/** Reads an MP4 or QuickTime file; undefined where it has no picture that moves. */
export async function readMp4(source: ByteSource): Promise<VideoFacts | undefined> {
  const boxes = new Boxes(source)
  let container: VideoFacts['container'] = 'mov'
  let moov: Box | undefined
  for await (const box of boxes.between(0, source.size)) {
    if (box.type === 'ftyp') container = await brandOf(boxes, box)
    if (box.type === 'moov') moov = box
    if (moov) break
  }
  if (!moov) return undefined
  for await (const track of boxes.between(moov.start, moov.end)) {
    if (track.type !== 'trak') continue
    const picture = await readTrack(boxes, track)
    if (picture) return { container, ...picture, durationMs: await readDuration(boxes, moov) }
  }
  return undefined
}

async function brandOf(boxes: Boxes, ftyp: Box): Promise<'mp4' | 'mov'> {
  const brand = (await boxes.bytes(ftyp, 4)).toString('latin1')
  return brand === 'qt  ' ? 'mov' : 'mp4'
}

/** The whole movie's duration: of a file in fragments it stands apart. */
async function readDuration(boxes: Boxes, moov: Box): Promise<number | null> {
  const header = await boxes.find(moov, 'mvhd')
  if (!header) return null
  const bytes = await boxes.bytes(header, 32)
  const [timescale, duration] = timesOf(bytes)
  const extended = duration === 0 ? await boxes.find(moov, 'mvex', 'mehd') : undefined
  if (!extended) return durationOf(duration / timescale)
  const more = await boxes.bytes(extended, 12)
  const long = more[0] === 1
  if (more.length < (long ? 12 : 8)) return null
  return durationOf((long ? Number(more.readBigUInt64BE(4)) : more.readUInt32BE(4)) / timescale)
}

/** Timescale and duration of a movie header, whose times have four bytes or eight. */
function timesOf(bytes: Buffer): [number, number] {
  const long = bytes[0] === 1
  if (bytes.length < (long ? 32 : 20)) return [0, 0]
  if (long) return [bytes.readUInt32BE(20), Number(bytes.readBigUInt64BE(24))]
  const duration = bytes.readUInt32BE(16)
  return [bytes.readUInt32BE(12), duration === 0xff_ff_ff_ff ? 0 : duration]
}

/** Width, height and codec of a track of pictures; undefined for any other track. */
async function readTrack(
  boxes: Boxes,
  track: Box,
): Promise<Pick<VideoFacts, 'width' | 'height' | 'codec'> | undefined> {
  const handler = await boxes.find(track, 'mdia', 'hdlr')
  if (!handler || (await boxes.bytes(handler, 12)).toString('latin1', 8, 12) !== 'vide') return undefined
  const described = await boxes.find(track, 'mdia', 'minf', 'stbl', 'stsd')
  // Version and flags, a count, then the first entry: its size, its name, and as a picture its width and height.
  const entry = described ? await boxes.bytes(described, 48) : Buffer.alloc(0)
  if (entry.length < 44) return undefined
  const codec = codecName(entry.toString('latin1', 12, 16))
  const coded = { width: sideOf(entry.readUInt16BE(40)), height: sideOf(entry.readUInt16BE(42)) }
  const shown = await shownSize(boxes, track)
  return { codec, width: shown?.width ?? coded.width, height: shown?.height ?? coded.height }
}

/** The size as it is shown: a telephone held upright writes its pictures lying and says so by a matrix. */
async function shownSize(boxes: Boxes, track: Box): Promise<{ width: number; height: number } | undefined> {
  const header = await boxes.find(track, 'tkhd')
  if (!header) return undefined
  const bytes = await boxes.bytes(header, 96)
  const matrix = bytes[0] === 1 ? 52 : 40
  if (bytes.length < matrix + 44) return undefined
  const width = sideOf(bytes.readUInt32BE(matrix + 36) / 65_536)
  const height = sideOf(bytes.readUInt32BE(matrix + 40) / 65_536)
  if (width === null || height === null) return undefined
  const turned = bytes.readInt32BE(matrix) === 0 && bytes.readInt32BE(matrix + 16) === 0
  return turned ? { width: height, height: width } : { width, height }
}
