/** Bytes that are read here and there, never as a whole. */
export interface ByteSource {
  readonly size: number
  /** So many bytes from a place on; fewer at the end. */
  read(at: number, length: number): Promise<Buffer>
}

/** What can be told of a video by its headers. What they do not say is null. */
export interface VideoFacts {
  container: 'mp4' | 'mov' | 'webm' | 'mkv'
  durationMs: number | null
  width: number | null
  height: number | null
  codec: string | null
}

const LONGEST_MS = 7 * 24 * 3_600_000
const WIDEST = 32_768

/** A duration that a video can have, in whole milliseconds. */
export function durationOf(seconds: number): number | null {
  const ms = Math.round(seconds * 1000)
  return Number.isFinite(ms) && ms > 0 && ms <= LONGEST_MS ? ms : null
}

/** A width or height that a picture can have. */
export function sideOf(pixels: number): number | null {
  const whole = Math.round(pixels)
  return Number.isFinite(whole) && whole > 0 && whole <= WIDEST ? whole : null
}

/** A codec's name as people know it; an unknown one by its own letters. */
export function codecName(raw: string): string | null {
  const name = raw.trim()
  const known = CODECS.find(([pattern]) => pattern.test(name))?.[1]
  if (known) return known
  return /^[\w.:/-]{2,40}$/.test(name) ? name : null
}

const CODECS: readonly (readonly [RegExp, string])[] = [
  [/^avc[1-4]$|^V_MPEG4\/ISO\/AVC$/, 'h264'],
  [/^(?:hvc1|hev1|dvh1|dvhe)$|^V_MPEGH\/ISO\/HEVC$/, 'hevc'],
  [/^(?:vvc1|vvi1)$|^V_MPEGI\/ISO\/VVC$/, 'vvc'],
  [/^(?:av01|V_AV1)$/, 'av1'],
  [/^(?:vp08|V_VP8)$/, 'vp8'],
  [/^(?:vp09|V_VP9)$/, 'vp9'],
  [/^mp4v$|^V_MPEG4\/ISO\/(?:A?SP|AP)$/, 'mpeg4'],
  [/^V_MPEG[12]$/, 'mpeg2'],
  [/^ap(?:ch|cn|cs|co|4h|4x)$|^V_PRORES$/, 'prores'],
  [/^(?:jpeg|mjp[ab]|V_MJPEG)$/, 'mjpeg'],
]
