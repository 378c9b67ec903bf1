import { createHash } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { files } from '@weft/contract/files/api'
import { videos } from '@weft/contract/videos/api'
import { fileStoreOf } from '../../kit/file-store.ts'
import { newId } from '../../kit/record.ts'
import { codeOf } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { expectTablesMatch } from '../../testing/tables-match.ts'
import { video } from '../videos/table.ts'
import { clearGiven, clearUnused } from './clear.ts'
import { file } from './table.ts'

let server: TestServer
let ann: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
})
afterAll(() => server.stop())

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 1)])
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const upload = (person: TestPerson, name: string, body: Buffer) =>
  person.api(files).upload({ name }, { body: new Uint8Array(body) })

test('the tables are as the code knows them', () => expectTablesMatch(server.deps.db, [file, video]))

describe('an upload', () => {
  test('is kept under its hash, once, and known by its first bytes', async () => {
    const first = await upload(ann, 'a picture.png', PNG)
    expect(first).toMatchObject({
      name: 'a picture.png',
      size: PNG.length,
      sha256: hash(PNG),
      contentType: 'image/png',
    })
    const page = Buffer.from('<script>alert(1)</script>')
    expect(await upload(ann, 'page.html', page)).toMatchObject({ contentType: 'application/octet-stream' })
    const again = await upload(ann, 'the same.png', PNG)
    expect(again.id).not.toBe(first.id)
    const folder = join(server.deps.settings.dataDir, 'files', first.sha256.slice(0, 2))
    expect(await readdir(folder)).toEqual([first.sha256])
    expect(await ann.api(files).get({ id: first.id })).toEqual(first)
  })

  test('of half a megabyte arrives whole', async () => {
    const large = Buffer.alloc(524_288, 'weft')
    const { id, sha256 } = await upload(ann, 'large.bin', large)
    expect(sha256).toBe(hash(large))
    const got = Buffer.from(await (await ann.api(files).content({ id })).arrayBuffer())
    expect(hash(got)).toBe(sha256)
  })
})

describe('the content', () => {
  test('is shown only where it is a picture; anything else is saved', async () => {
    const picture = await upload(ann, 'a.png', PNG)
    const shown = await ann.api(files).content({ id: picture.id })
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('content-disposition')).toBeNull()
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG)
    const page = await upload(ann, 'pägé "1".html', Buffer.from('<b>hi</b>'))
    const saved = await ann.api(files).content({ id: page.id })
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''p%C3%A4g/)
    expect(saved.headers.get('content-type')).toBe('application/octet-stream')
  })

  test('can be asked for in parts', async () => {
    const { id } = await upload(ann, 'digits', Buffer.from('0123456789'))
    const part = (range: string) => ann.api(files).content({ id }, { headers: { range } })
    const middle = await part('bytes=2-4')
    expect([middle.status, middle.headers.get('content-range'), await middle.text()]).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ])
    expect(await (await part('bytes=-2')).text()).toBe('89')
    await expect(part('bytes=10-')).rejects.toMatchObject({ httpStatus: 416 })
  })

  test('is for its owner and for who may see what it belongs to', async () => {
    const { id } = await upload(ann, 'mine', Buffer.from('mine'))
    const ben = await server.as('operator', 'ben')
    const viewer = await server.as('viewer')
    expect(await codeOf(ben.api(files).get({ id }))).toBe('record.not_found')
    expect(await codeOf(ben.api(files).content({ id }))).toBe('record.not_found')
    expect(await codeOf(viewer.api(files).content({ id }))).toBe('record.not_found')
    const made = await ann.api(videos).create({ title: 'Shown', fileId: id })
    expect(made).toMatchObject({ status: 'ready', file: { id, name: 'mine', size: 4 } })
    expect(await (await viewer.api(files).content({ id })).text()).toBe('mine')
    expect(await codeOf(ben.api(files).content({ id }))).toBe('record.not_found')
    expect(await codeOf(ben.api(videos).create({ title: 'Stolen', fileId: id }))).toBe('link.not_found')
    expect(await codeOf(server.anonymous.api(files).content({ id }))).toBe('auth.required')
  })

  test('of a profile’s snapshot is for nobody', async () => {
    const { id } = await upload(ann, 'snapshot', Buffer.from('cookies'))
    await server.deps.db.execute(sql`update file set purpose = 'snapshot' where id = ${id}`)
    expect(await codeOf(ann.api(files).content({ id }))).toBe('record.not_found')
  })

  test('that is not there is not found', async () => {
    expect(await codeOf(ann.api(files).content({ id: newId() }))).toBe('record.not_found')
  })
})

test('a video waits for its file', async () => {
  const api = ann.api(videos)
  const made = await api.create({ title: 'Waiting' })
  expect(made).toMatchObject({ status: 'uploading', file: null })
  const { id: fileId } = await upload(ann, 'v.mp4', Buffer.from('0000ftypisom'))
  expect(await api.update({ id: made.id, version: 1, fileId })).toMatchObject({
    status: 'ready',
    file: { name: 'v.mp4' },
  })
})

test('a file for a page counts to its owner’s storage, is no video’s, and goes after a day', async () => {
  const ben = await server.as('operator', 'ben')
  const body = new Uint8Array(Buffer.from('for a page'))
  const given = await ben.api(files).upload({ name: 'given', purpose: 'page' }, { body })
  const kept = await upload(ben, 'kept for steps', Buffer.from('for steps'))
  expect((await ben.api(videos).uploads({})).usedBytes).toBe(given.size)
  expect(await codeOf(ben.api(videos).create({ title: 'From a page', fileId: given.id }))).toBe(
    'link.not_found',
  )
  const sized = (size: number) =>
    server.deps.db.execute(sql`update file set size = ${size} where id = ${given.id}`)
  await sized(1e15)
  expect(await codeOf(ben.api(files).upload({ name: 'more', purpose: 'page' }, { body }))).toBe(
    'file.no_storage',
  )
  await sized(given.size)
  await clearGiven(server.deps.db)
  expect(await ben.api(files).get({ id: given.id })).toEqual(given)
  await server.deps.db.execute(
    sql`update file set created_at = now() - interval '25 hours' where id in (${given.id}, ${kept.id})`,
  )
  await clearGiven(server.deps.db)
  expect(await codeOf(ben.api(files).get({ id: given.id }))).toBe('record.not_found')
  expect((await ben.api(files).get({ id: kept.id })).name).toBe('kept for steps')
  expect((await ben.api(videos).uploads({})).usedBytes).toBe(0)
})

test('bytes that no row names are cleared away after a day', async () => {
  const store = fileStoreOf(server.deps)
  const kept = await upload(ann, 'kept', Buffer.from('kept bytes'))
  const gone = await upload(ann, 'gone', Buffer.from('gone bytes'))
  await server.deps.db.execute(sql`delete from file where id = ${gone.id}`)
  const old = new Date(Date.now() - 172_800_000)
  for (const { sha256 } of [kept, gone])
    await utimes(join(server.deps.settings.dataDir, 'files', sha256.slice(0, 2), sha256), old, old)
  await clearUnused(server.deps.db, store)
  expect(await store.has(gone.sha256)).toBeUndefined()
  expect(await store.has(kept.sha256)).toBe(kept.size)
})
