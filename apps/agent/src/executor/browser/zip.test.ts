import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { maskBytes } from './trace.ts'
import { readZip, rewriteZip } from './zip.ts'

const folder = mkdtempSync(join(tmpdir(), 'weft-zip-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** An archive with a stored, a deflated and an empty entry, made by another program. */
const ARCHIVE =
  'UEsDBBQAAAAAAAAAIVwsSmyxFwAAABcAAAAJAAAAcGxhaW4udHh0dGhlIHNlY3JldCB3b3JkIGlzIGhlcmVQSwMEFAAAAAgAAAAh' +
  'XAm5MDEkAAAAWBsAAA8AAABkZWVwL3BhY2tlZC50eHTtxUERAAAEALAqujkF0P8k0GD7bCq7NkaSJEmSJEmSJEnS3wFQSwMEFAAA' +
  'AAAAAAAhXAAAAAAAAAAAAAAAAAUAAABlbXB0eVBLAQIUAxQAAAAAAAAAIVwsSmyxFwAAABcAAAAJAAAAAAAAAAAAAACAAQAAAABw' +
  'bGFpbi50eHRQSwECFAMUAAAACAAAACFcCbkwMSQAAABYGwAADwAAAAAAAAAAAAAAgAE+AAAAZGVlcC9wYWNrZWQudHh0UEsBAhQD' +
  'FAAAAAAAAAAhXAAAAAAAAAAAAAAAAAUAAAAAAAAAAAAAAIABjwAAAGVtcHR5UEsFBgAAAAADAAMApwAAALIAAAAAAA=='

function makeArchive(): string {
  const path = join(folder, 'made.zip')
  writeFileSync(path, Buffer.from(ARCHIVE, 'base64'))
  return path
}

describe('rewriting archives', () => {
  it('replaces bytes in every entry', async () => {
    const path = makeArchive()
    await rewriteZip(path, (content) => maskBytes(content, [Buffer.from('secret')]))
    const contents = await readZip(path)
    expect([...contents.keys()]).toEqual(['plain.txt', 'deep/packed.txt', 'empty'])
    expect(contents.get('plain.txt')?.toString()).toBe('the •••••• word is here')
    expect(contents.get('deep/packed.txt')?.toString()).toBe('•••••• '.repeat(1000))
  })

  it('leaves an archive without the word as it was', async () => {
    const path = makeArchive()
    await rewriteZip(path, (content) => maskBytes(content, [Buffer.from('nowhere')]))
    expect((await readZip(path)).get('deep/packed.txt')?.length).toBe(7000)
  })

  it('refuses what is no archive', async () => {
    const path = join(folder, 'none.zip')
    writeFileSync(path, 'nothing of the kind, but long enough to be looked at')
    await expect(readZip(path)).rejects.toThrow('no zip archive')
  })
})
