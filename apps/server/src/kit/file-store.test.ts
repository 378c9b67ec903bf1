import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileStoreError, folderStore, type FileStore } from './file-store.ts'

let root: string
let store: FileStore
const bytes = Buffer.from('a picture, more or less')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const MAX = 1000

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'weft-files-'))
  store = folderStore(root)
})
afterEach(() => rm(root, { recursive: true }))

async function* pieces(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}

async function text(hash: string, range?: { start: number; end: number }): Promise<string | undefined> {
  const stream = await store.read(hash, range)
  if (!stream) return undefined
  let all = ''
  for await (const chunk of stream) all += String(chunk)
  return all
}

const reason = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof FileStoreError ? [error.reason, error.have] : error),
  )

test('what was put is read back, whole or in part, under its hash', async () => {
  expect(await store.put(pieces(bytes.subarray(0, 5), bytes.subarray(5)), MAX)).toEqual({
    sha256,
    size: bytes.length,
  })
  expect(await text(sha256)).toBe(bytes.toString())
  expect(await text(sha256, { start: 2, end: 8 })).toBe('picture')
  expect(await store.has(sha256)).toBe(bytes.length)
  expect(await readdir(join(root, 'partial'))).toEqual([])
})

test('putting the same bytes again keeps one file', async () => {
  await store.put(pieces(bytes), MAX)
  await store.put(pieces(bytes), MAX)
  expect(await readdir(join(root, sha256.slice(0, 2)))).toEqual([sha256])
})

test('too many bytes leave nothing behind', async () => {
  expect(await reason(store.put(pieces(bytes), 10))).toEqual(['too_large', 0])
  expect(await readdir(join(root, 'partial'))).toEqual([])
})

test('a resumable upload goes on where it was, and says where that is', async () => {
  expect(await store.writePart(sha256, 0, bytes.subarray(0, 7), MAX)).toBe(7)
  expect(await reason(store.writePart(sha256, 3, bytes.subarray(3), MAX))).toEqual(['range', 7])
  const again = folderStore(`${root}/.`)
  expect(await again.partSize(sha256)).toBe(7)
  expect(await again.writePart(sha256, 7, pieces(bytes.subarray(7)), MAX)).toBe(bytes.length)
  expect(await again.finish(sha256)).toBe(bytes.length)
  expect(await again.finish(sha256)).toBe(bytes.length)
  expect(await text(sha256)).toBe(bytes.toString())
})

test('two writers of one upload cannot mix their bytes', async () => {
  const results = await Promise.allSettled([
    store.writePart(sha256, 0, bytes, MAX),
    store.writePart(sha256, 0, bytes, MAX),
  ])
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected'])
  expect(await store.finish(sha256)).toBe(bytes.length)
})

test('bytes that do not have the promised hash are thrown away', async () => {
  await store.writePart(sha256, 0, Buffer.from('something else'), MAX)
  expect(await reason(store.finish(sha256))).toEqual(['wrong_hash', 0])
  expect(await store.partSize(sha256)).toBe(0)
  expect(await store.has(sha256)).toBeUndefined()
})

test('a name that is not a hash never becomes a path', async () => {
  expect(await reason(store.has('../../etc/passwd'))).toEqual(['wrong_hash', 0])
  expect(await reason(store.writePart('..', 0, bytes, MAX))).toEqual(['wrong_hash', 0])
})

test('clearing takes what is old and unused, and only that', async () => {
  const old = new Date(Date.now() - 172_800_000)
  const { sha256: kept } = await store.put(pieces(Buffer.from('kept')), MAX)
  await store.put(pieces(bytes), MAX)
  const { sha256: fresh } = await store.put(pieces(Buffer.from('fresh')), MAX)
  await writeFile(join(root, 'partial', 'put-left'), 'x')
  for (const name of [join(kept.slice(0, 2), kept), join(sha256.slice(0, 2), sha256), 'partial/put-left'])
    await utimes(join(root, name), old, old)
  const cleared = await store.clear(new Date(Date.now() - 86_400_000), async (hashes) =>
    hashes.filter((hash) => hash !== kept),
  )
  expect(cleared).toBe(2)
  expect([await text(kept), await text(fresh), await text(sha256)]).toEqual(['kept', 'fresh', undefined])
})
