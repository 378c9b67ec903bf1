/** Small video files made by hand: the headers are real, the pictures are not. */

function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

function fields(length: number, values: Readonly<Record<number, number>>): Buffer {
  const bytes = Buffer.alloc(length)
  for (const [at, value] of Object.entries(values)) bytes.writeUInt32BE(value, Number(at))
  return bytes
}

export interface FilmOptions {
  brand?: string
  seconds?: number
  width?: number
  height?: number
  codec?: string
  /** As a telephone held upright writes it. */
  turned?: boolean
  handler?: string
  /** Bytes of what would be pictures. */
  pictures?: number
}

/** An MP4 or QuickTime file. */
export function mp4(options: FilmOptions = {}): Buffer {
  const { brand = 'isom', seconds = 12.5, width = 1280, height = 720, codec = 'avc1' } = options
  const matrix: Record<number, number> = options.turned
    ? { 44: 0x1_0000, 52: 0xffff_0000 }
    : { 40: 0x1_0000, 56: 0x1_0000 }
  const handler = Buffer.concat([Buffer.alloc(8), Buffer.from(options.handler ?? 'vide'), Buffer.alloc(13)])
  const entry = Buffer.alloc(86)
  entry.writeUInt32BE(86, 0)
  entry.write(codec, 4, 'latin1')
  entry.writeUInt16BE(width, 32)
  entry.writeUInt16BE(height, 34)
  const described = box('stsd', fields(8, { 4: 1 }), entry)
  const track = box(
    'trak',
    box('tkhd', fields(84, { ...matrix, 72: 0x4000_0000, 76: width * 65_536, 80: height * 65_536 })),
    box('mdia', box('hdlr', handler), box('minf', box('stbl', described))),
  )
  return Buffer.concat([
    box('ftyp', Buffer.from(brand), Buffer.alloc(4)),
    box('mdat', Buffer.alloc(options.pictures ?? 64, 7)),
    box('moov', box('mvhd', fields(100, { 12: 1000, 16: seconds * 1000 })), track),
  ])
}

function element(id: number, content: Uint8Array | 'open'): Buffer {
  const name = Buffer.from(id.toString(16).padStart(2, '0'), 'hex')
  if (content === 'open') return Buffer.concat([name, Buffer.from('01ffffffffffffff', 'hex')])
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(content.length))
  size[0] = 0x01
  return Buffer.concat([name, size, content])
}

const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const double = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}

/** A WebM or Matroska file; without seconds one that nobody finished, whose last picture is at 3.04 s. */
export function matroska(options: { docType?: string; seconds?: number; codec?: string } = {}): Buffer {
  const { docType = 'webm', seconds, codec = 'V_VP9' } = options
  const info = [element(0x2ad7b1, number(1_000_000))]
  if (seconds !== undefined) info.push(element(0x4489, double(seconds * 1000)))
  const sides = [element(0xb0, number(640)), element(0xba, number(360))]
  const track = [
    element(0x83, number(1)),
    element(0x86, Buffer.from(codec)),
    element(0xe0, Buffer.concat(sides)),
  ]
  const blockAt = (ms: number) => element(0xa3, Buffer.from([0x81, ms >> 8, ms & 0xff, 0x80, 1, 2, 3]))
  return Buffer.concat([
    element(0x1a45dfa3, element(0x4282, Buffer.from(docType))),
    element(0x18538067, 'open'),
    element(0x1549a966, Buffer.concat(info)),
    element(0x1654ae6b, element(0xae, Buffer.concat(track))),
    element(0x1f43b675, Buffer.concat([element(0xe7, number(0)), blockAt(0), blockAt(40)])),
    element(0x1f43b675, 'open'),
    element(0xe7, number(3_000)),
    blockAt(0),
    blockAt(40),
  ])
}
