import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { files } from '@weft/contract/files/api'
import { videos } from '@weft/contract/videos/api'
import { codeOf } from '../../../testing/browser.ts'
import type { TestPerson } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { mp4 } from '../testing/films.ts'
import { uploadsOf } from '../testing/uploads.ts'
import { videoUpload } from '../table.ts'
import { uploadName, uploadPath, uploadsFolder } from './rows.ts'
import { giveUp, received } from './settle.ts'
import { goOn, sweep } from './sweep.ts'

let server: TestServer
let ann: TestPerson
let ben: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
  ben = await server.as('operator', 'ben')
})
afterAll(() => server.stop())

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const { send, begin, part, addressOf, idOf, pathOf, filesOf, settled } = uploadsOf(() => server)

describe('a server that was killed', () => {
  const film = mp4({ seconds: 5, pictures: 5_000 })

  it('after the last byte goes on by itself', async () => {
    const address = await addressOf(begin(ann, film.length, { filename: 'last.mp4' }))
    await writeFile(await pathOf(address), film)
    await goOn(server.deps)
    expect(await settled(ann, idOf(address))).toMatchObject({ status: 'ready', durationMs: 5_000 })
  })

  it('between moving the bytes and naming them comes to the same end', async () => {
    const bytes = mp4({ seconds: 6, pictures: 6_000 })
    const address = await addressOf(begin(ann, bytes.length, { filename: 'moved.mp4' }))
    const id = idOf(address)
    const path = join(server.deps.settings.dataDir, 'files', hash(bytes).slice(0, 2))
    await server.deps.db.execute(sql`update video set status = 'processing' where id = ${id}`)
    await server.deps.db
      .update(videoUpload)
      .set({ receivedAt: new Date(), sha256: hash(bytes) })
      .where(eq(videoUpload.id, id))
    await mkdir(path, { recursive: true })
    await writeFile(join(path, hash(bytes)), bytes)
    await rm(await pathOf(address), { force: true })
    await goOn(server.deps)
    expect(await settled(ann, id)).toMatchObject({
      status: 'ready',
      durationMs: 6_000,
      file: { sha256: hash(bytes) },
    })
  })
})

describe('an upload and those before it of the same video', () => {
  const film = mp4({ seconds: 9, pictures: 9_000 })
  const rowOf = async (id: string) => {
    const [row] = await server.deps.db.select().from(videoUpload).where(eq(videoUpload.id, id))
    if (!row) throw new Error('no such upload')
    return row
  }

  it('are not taken for each other: what ends late ends only itself', async () => {
    const address = await addressOf(begin(ann, 500, { filename: 'first.mp4', key: 'first-one' }))
    const id = idOf(address)
    await part(ann, address, 0, Buffer.alloc(100))
    const first = await rowOf(id)
    const version = (await ann.api(videos).get({ id })).version
    await addressOf(begin(ann, film.length, { filename: 'second.mp4', videoId: id }))
    expect((await ann.api(videos).get({ id })).version).toBe(version + 1)
    const second = await send(ann, 'HEAD', address)
    expect(second.headers.get('upload-offset')).toBe('0')
    expect((await part(ann, address, 0, film.subarray(0, 500))).status).toBe(204)
    // The first one's end comes now, by a server that was slow.
    await giveUp(server.deps, first, 'abandoned')
    await received(server.deps, first)
    expect(await ann.api(videos).get({ id })).toMatchObject({ status: 'uploading', failure: null })
    // Nor does a sweep end one that somebody goes on with meanwhile.
    await giveUp(server.deps, await rowOf(id), 'abandoned', { since: new Date(Date.now() - 60_000) })
    expect((await part(ann, address, 500, film.subarray(500))).status).toBe(204)
    expect(await settled(ann, id)).toMatchObject({ status: 'ready', file: { sha256: hash(film) } })
  })

  it('have a file also where a server was killed before it was made', async () => {
    const given = { filename: 'nofile.mp4', key: 'no-file-yet' }
    const address = await addressOf(begin(ann, film.length, given))
    await rm(await pathOf(address))
    expect(await addressOf(begin(ann, film.length, given))).toBe(address)
    expect((await send(ann, 'HEAD', address)).headers.get('upload-offset')).toBe('0')
    await rm(await pathOf(address))
    expect((await part(ann, address, 0, film)).status).toBe(204)
    expect(await settled(ann, idOf(address))).toMatchObject({ status: 'ready' })
  })

  it('end where the video was given another file meanwhile, and leave none behind', async () => {
    const { id: fileId } = await ann.api(files).upload({ name: 'v.mp4' }, { body: new Uint8Array(film) })
    const address = await addressOf(begin(ann, film.length, { filename: 'overtaken.mp4' }))
    const id = idOf(address)
    const { version } = await ann.api(videos).get({ id })
    await ann.api(videos).update({ id, version, fileId })
    expect((await part(ann, address, 0, film)).status).toBe(404)
    expect((await send(ann, 'HEAD', address)).status).toBe(404)
    await expect.poll(() => filesOf(id)).toEqual([])
    expect(await ann.api(videos).get({ id })).toMatchObject({ status: 'ready', file: { id: fileId } })
  })

  it('whose video nobody came to an end with are taken up by the sweep', async () => {
    const address = await addressOf(begin(ann, film.length, { filename: 'stuck.mp4' }))
    const id = idOf(address)
    const { db } = server.deps
    await writeFile(await pathOf(address), film)
    await db.execute(sql`update video set status = 'processing' where id = ${id}`)
    await db.update(videoUpload).set({ receivedAt: new Date() }).where(eq(videoUpload.id, id))
    const lost = await ann.api(videos).create({ title: 'Lost' })
    await db.execute(sql`update video set status = 'processing' where id = ${lost.id}`)
    await sweep(server.deps)
    expect(await settled(ann, id)).toMatchObject({ status: 'ready' })
    expect(await ann.api(videos).get({ id: lost.id })).toMatchObject({
      status: 'failed',
      failure: 'unreadable',
    })
  })

  it('belong to whoever the video belongs to, and count for them', async () => {
    const admin = await server.as('administrator')
    const { id } = await ben.api(videos).create({ title: 'Sent by another' })
    const used = async (who: TestPerson) => (await who.api(videos).uploads({})).usedBytes
    const [adminUsed, benUsed] = [await used(admin), await used(ben)]
    const address = await addressOf(begin(admin, film.length, { filename: 'a.mp4', videoId: id }))
    expect([await used(admin), await used(ben)]).toEqual([adminUsed, benUsed + film.length])
    await part(admin, address, 0, film)
    expect(await settled(ben, id)).toMatchObject({ status: 'ready' })
    expect([await used(admin), await used(ben)]).toEqual([adminUsed, benUsed + film.length])
    await server.deps.db.execute(sql`update video set owner_id = ${ann.id} where id = ${id}`)
    expect(await used(ben)).toBe(benUsed)
  })
})

describe('an upload that nobody goes on with', () => {
  it('is ended after its time, and its bytes are cleared', async () => {
    const address = await addressOf(begin(ann, 5_000, { filename: 'left.mp4' }))
    const id = idOf(address)
    await part(ann, address, 0, randomBytes(1_000))
    const none = { id: '00000000-0000-4000-8000-000000000000', createdAt: new Date() }
    const stray = uploadPath(server.deps, none)
    await writeFile(stray, 'stray')
    const old = new Date(Date.now() - 200 * 3_600_000)
    await utimes(stray, old, old)
    await sweep(server.deps)
    expect(await ann.api(videos).get({ id })).toMatchObject({ status: 'uploading' })
    await server.deps.db.update(videoUpload).set({ touchedAt: old }).where(eq(videoUpload.id, id))
    await sweep(server.deps)
    expect(await ann.api(videos).get({ id })).toMatchObject({ status: 'failed', failure: 'abandoned' })
    await expect.poll(() => filesOf(id)).toEqual([])
    expect(await readdir(uploadsFolder(server.deps))).not.toContain(uploadName(none))
    expect((await send(ann, 'HEAD', address)).status).toBe(404)
    expect(await codeOf(ann.api(videos).play({ id }))).toBe('record.wrong_state')
  })
})
