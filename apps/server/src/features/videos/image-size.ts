/** Width and height of a JPEG, PNG or WebP by its header; undefined where the bytes are none of them, or are cut off. */
export function imageSize(bytes: Buffer): { width: number; height: number } | undefined {
  const size = pngSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

function pngSize(bytes: Buffer) {
  if (bytes.length < 33 || bytes.toString('latin1', 1, 4) !== 'PNG') return undefined
  if (bytes.toString('latin1', 12, 16) !== 'IHDR' || bytes.indexOf('IEND', 33, 'latin1') < 0) return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function webpSize(bytes: Buffer) {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined
  if (bytes.toString('latin1', 8, 12) !== 'WEBP' || bytes.readUInt32LE(4) + 8 > bytes.length + 1)
    return undefined
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Frames of pictures; C4, C8 and CC look alike and are something else. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function jpegSize(bytes: Buffer) {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return undefined
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
