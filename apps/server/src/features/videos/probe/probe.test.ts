import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { matroska, mp4 } from '../testing/films.ts'
import { probe } from './probe.ts'
import type { ByteSource } from './source.ts'

const source = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)),
})

describe('what a video says of itself', () => {
  it('is read from MP4 and QuickTime, wherever the description stands', async () => {
    expect(await probe(source(mp4()))).toEqual({
      container: 'mp4',
      durationMs: 12_500,
      width: 1280,
      height: 720,
      codec: 'h264',
    })
    expect(await probe(source(mp4({ brand: 'qt  ', codec: 'hvc1' })))).toMatchObject({
      container: 'mov',
      codec: 'hevc',
    })
    expect(await probe(source(mp4({ turned: true })))).toMatchObject({ width: 720, height: 1280 })
  })

  it('is read from WebM and Matroska, also where nobody finished the recording', async () => {
    expect(await probe(source(matroska({ seconds: 61.5 })))).toEqual({
      container: 'webm',
      durationMs: 61_500,
      width: 640,
      height: 360,
      codec: 'vp9',
    })
    expect(await probe(source(matroska({ docType: 'matroska', codec: 'V_MPEG4/ISO/AVC' })))).toMatchObject({
      container: 'mkv',
      durationMs: 3_040,
      codec: 'h264',
    })
  })

  it('is nothing where there is no moving picture', async () => {
    expect(await probe(source(mp4({ handler: 'soun' })))).toBeUndefined()
    expect(await probe(source(Buffer.from('<html><video></video></html>')))).toBeUndefined()
    expect(await probe(source(Buffer.alloc(0)))).toBeUndefined()
    expect(await probe(source(Buffer.from('0000ftypisom')))).toBeUndefined()
  })

  it('is never a failure, and never takes long, whatever the bytes are', async () => {
    for (const whole of [mp4(), matroska(), matroska({ seconds: 2 })]) {
      for (let cut = 0; cut < whole.length; cut += 3) await probe(source(whole.subarray(0, cut)))
      for (let turn = 0; turn < 300; turn += 1) {
        const broken = Buffer.from(whole)
        for (const byte of randomBytes(4)) broken[(byte * 7 + turn * 13) % broken.length] = byte
        await probe(source(broken))
      }
    }
    const endless = Buffer.concat([mp4().subarray(0, 16), Buffer.alloc(800_000)])
    for (let at = 16; at + 8 <= endless.length; at += 8) endless.writeUInt32BE(8, at)
    expect(await probe(source(endless))).toBeUndefined()
  })
})
