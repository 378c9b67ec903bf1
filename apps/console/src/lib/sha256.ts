/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of 8. */
const [ROUND, START] = constants()

/**
 * The SHA-256 of a text as hexadecimal digits. A browser has its own only where the page came by HTTPS, which a console
 * within a house often does not.
 */
export function sha256(text: string): string {
  const bytes = padded(new TextEncoder().encode(text))
  const view = new DataView(bytes.buffer)
  const state = Uint32Array.from(START)
  const words = new Uint32Array(64)
  for (let offset = 0; offset < bytes.length; offset += 64) {
    for (let n = 0; n < 16; n += 1) words[n] = view.getUint32(offset + n * 4)
    for (let n = 16; n < 64; n += 1) {
      const a = words[n - 15] ?? 0
      const b = words[n - 2] ?? 0
      const first = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
      const second = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
      words[n] = (words[n - 16] ?? 0) + first + (words[n - 7] ?? 0) + second
    }
    mix(state, words)
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

function mix(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let n = 0; n < 64; n += 1) {
    const choice = (e & f) ^ (~e & g)
    const first =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (ROUND[n] ?? 0) + (words[n] ?? 0)) | 0
    const most = (a & b) ^ (a & c) ^ (b & c)
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + most) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + value
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** A one, zeros up to whole blocks, and the length in bits at the end. */
function padded(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((text.length + 9) / 64) * 64)
  bytes.set(text)
  bytes[text.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 8, Math.floor(text.length / 0x2000_0000))
  view.setUint32(bytes.length - 4, text.length * 8)
  return bytes
}

function constants(): [round: readonly number[], start: readonly number[]] {
  const primes: number[] = []
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  const bits = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32)
  return [
    primes.map((prime) => bits(Math.cbrt(prime))),
    primes.slice(0, 8).map((prime) => bits(Math.sqrt(prime))),
  ]
}
