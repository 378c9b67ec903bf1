const SIGNATURES: readonly { type: string; at: number; bytes: readonly number[] }[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  { type: 'video/mp4', at: 4, bytes: [0x66, 0x74, 0x79, 0x70] },
  { type: 'video/webm', at: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { type: 'application/zip', at: 0, bytes: [0x50, 0x4b, 0x03, 0x04] },
  { type: 'application/pdf', at: 0, bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
]

/** What a file is by its first bytes; what its sender says of it is not believed. */
export function contentTypeOf(head: Uint8Array): string {
  const known = SIGNATURES.find(({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte))
  return known?.type ?? 'application/octet-stream'
}

/** Types that a browser may show in place; everything else is saved. */
export function isShown(contentType: string): boolean {
  return contentType === 'image/png' || contentType === 'image/jpeg'
}
