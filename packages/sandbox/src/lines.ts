import type { Readable } from 'node:stream'

const LINE_FEED = 0x0a

/**
 * Reads a stream line by line. Only the line feed ends a line: JSON never holds one, but it may hold the other characters
 * at which `node:readline` cuts (U+2028, U+2029), and data that could begin a line could pose as a job.
 */
export function readLines(
  stream: Readable,
  onLine: (line: string) => void,
  options: { maxBytes: number; onTooLong: () => void },
): void {
  let pieces: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...pieces, chunk.subarray(from, end)]).toString('utf8')
      pieces = []
      length = 0
      from = end + 1
      onLine(line)
    }
    pieces.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > options.maxBytes) {
      pieces = []
      length = 0
      options.onTooLong()
    }
  })
}
