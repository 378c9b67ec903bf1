import { FRAME_META_MAX_BYTES, frameMetaSchema, type FrameMeta } from './schema.ts'

/** A picture of the page and what is said of it. */
export interface Frame {
  meta: FrameMeta
  jpeg: Uint8Array<ArrayBuffer>
}

const HEAD = 4

/** One picture as bytes: the length of what is said of it, that as JSON, then the JPEG. */
export function encodeFrame({ meta, jpeg }: Frame): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(meta))
  const bytes = new Uint8Array(HEAD + text.length + jpeg.length)
  new DataView(bytes.buffer).setUint32(0, text.length)
  bytes.set(text, HEAD)
  bytes.set(jpeg, HEAD + text.length)
  return bytes
}

/** Reads what `encodeFrame` made; undefined for anything else. */
export function decodeFrame(bytes: Uint8Array): Frame | undefined {
  if (bytes.length < HEAD) return undefined
  const length = new DataView(bytes.buffer, bytes.byteOffset, HEAD).getUint32(0)
  if (length > FRAME_META_MAX_BYTES || HEAD + length > bytes.length) return undefined
  const meta = frameMetaSchema.safeParse(parse(bytes.subarray(HEAD, HEAD + length)))
  const jpeg = new Uint8Array(bytes.subarray(HEAD + length))
  if (!meta.success || jpeg[0] !== 0xff || jpeg[1] !== 0xd8) return undefined
  return { meta: meta.data, jpeg }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    // Not what it should be; the schema says so.
    return null
  }
}
