import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 480
const HEIGHT = 300

/** A small picture to post on the practice site: sky, sea and a sun, drawn here so that nothing has to be shipped. */
export function harbourPicture(): Buffer {
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 3))
  for (let y = 0; y < HEIGHT; y += 1) {
    const row = y * (1 + WIDTH * 3)
    for (let x = 0; x < WIDTH; x += 1) rows.set(colourAt(x, y), row + 1 + x * 3)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function colourAt(x: number, y: number): [number, number, number] {
  const horizon = 180
  const sun = Math.hypot(x - 340, y - 110)
  if (y < horizon) {
    const height = y / horizon
    if (sun < 34) return [255, 214, 122]
    const glow = Math.max(0, 1 - sun / 220) * 70
    return [40 + 150 * height + glow, 90 + 90 * height + glow * 0.7, 150 + 40 * height]
  }
  const depth = (y - horizon) / (HEIGHT - horizon)
  const wave = Math.sin(x / 14 + y / 3) * 8 + Math.sin(x / 37 - y / 5) * 6
  return [14 + wave, 110 - 60 * depth + wave, 128 - 50 * depth + wave].map((part) =>
    Math.min(255, Math.max(0, Math.round(part))),
  ) as [number, number, number]
}

/** One chunk of a PNG file (ISO/IEC 15948): length, type, data, CRC. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), framed.length - 4)
  return framed
}
