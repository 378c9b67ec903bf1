import { open } from 'node:fs/promises'
import { looksLikeMatroska, readMatroska } from './matroska.ts'
import { looksLikeMp4, readMp4 } from './mp4.ts'
import type { ByteSource, VideoFacts } from './source.ts'

/**
 * What a video is, read from its own headers and never from its name: MP4, QuickTime, WebM and Matroska; undefined for
 * anything else. Only headers are read, a few bytes at a time, so neither a long nor a hostile file costs more.
 */
export async function probe(source: ByteSource): Promise<VideoFacts | undefined> {
  const head = await source.read(0, 16)
  if (looksLikeMatroska(head)) return readMatroska(source)
  return looksLikeMp4(head) ? readMp4(source) : undefined
}

/** The same for a file. */
export async function probeFile(path: string): Promise<VideoFacts | undefined> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const read = async (at: number, length: number) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)))
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, at)
      return bytes.subarray(0, bytesRead)
    }
    return await probe({ size, read })
  } finally {
    await handle.close()
  }
}
