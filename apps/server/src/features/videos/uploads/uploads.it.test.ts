import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { files } from '@weft/contract/files/api'
import { system } from '@weft/contract/system/api'
import { UPLOADS_PATH, videos } from '@weft/contract/videos/api'
import type { Video } from '@weft/contract/videos/schema'
import { codeOf } from '../../../testing/browser.ts'
import type { TestPerson } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { mp4 } from '../testing/films.ts'
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
const base64 = (text: string) => Buffer.from(text).toString('base64')
function send(
  who: TestPerson | null,
  method: string,
  address: string,
  headers: Record<string, string> = {},
  body?: Uint8Array<ArrayBuffer>,
) {
  return fetch(server.url + address, {
    method,
    headers: {
      'tus-resumable': '1.0.0',
      ...(who ? { authorization: `Bearer ${who.token}` } : {}),
      ...(body ? { 'content-type': 'application/offset+octet-stream' } : {}),
      ...headers,
    },
    ...(body ? { body } : {}),
  })
}

const begin = (
  who: TestPerson | null,
  size: number,
  metadata: Record<string, string>,
  body?: Uint8Array<ArrayBuffer>,
) =>
  send(
    who,
    'POST',
    UPLOADS_PATH,
    {
      'upload-length': String(size),
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${base64(value)}`)
        .join(','),
    },
    body,
  )

async function failed(answer: Promise<Response>): Promise<[number, unknown]> {
  const response = await answer
  const body: unknown = await response.json()
  return [response.status, Reflect.get(Object(body), 'code')]
}

const part = (who: TestPerson, address: string, offset: number, bytes: Uint8Array) =>
  send(who, 'PATCH', address, { 'upload-offset': String(offset) }, new Uint8Array(bytes))

const addressOf = async (answer: Promise<Response>) => {
  const response = await answer
  expect([response.status, response.status === 201 ? '' : await response.text()]).toEqual([201, ''])
  return response.headers.get('location') ?? ''
}
const idOf = (address: string) => address.slice(UPLOADS_PATH.length + 1)
async function pathOf(address: string): Promise<string> {
  const [row] = await server.deps.db
    .select()
    .from(videoUpload)
    .where(eq(videoUpload.id, idOf(address)))
  if (!row) throw new Error('no such upload')
  return uploadPath(server.deps, row)
}

const filesOf = async (id: string) =>
  (await readdir(uploadsFolder(server.deps))).filter((name) => name.startsWith(id))

/** Waits until the video is no longer on its way. */
async function settled(who: TestPerson, id: string): Promise<Video> {
  for (const begun = Date.now(); Date.now() - begun < 15_000;) {
    const video = await who.api(videos).get({ id })
    if (video.status !== 'uploading' && video.status !== 'processing') return video
    await delay(50)
  }
  throw new Error('it is still on its way')
}

async function upload(who: TestPerson, bytes: Buffer, metadata: Record<string, string>): Promise<Video> {
  const address = await addressOf(begin(who, bytes.length, metadata))
  expect((await part(who, address, 0, bytes)).status).toBe(204)
  return settled(who, idOf(address))
}

describe('an upload', () => {
  it('comes in parts, goes on where it stopped, and becomes a video that is known by its bytes', async () => {
    const film = mp4({ pictures: 300_000, seconds: 8 })
    const metadata = { filename: '../My film_1.MP4', key: 'my-film-key', sha256: hash(film) }
    const address = await addressOf(begin(ann, film.length, metadata))
    const id = idOf(address)
    expect(await ann.api(videos).get({ id })).toMatchObject({
      title: 'My film 1',
      status: 'uploading',
      file: null,
    })
    expect((await part(ann, address, 0, film.subarray(0, 100_000))).headers.get('upload-offset')).toBe(
      '100000',
    )
    expect((await part(ann, address, 0, film.subarray(0, 10))).status).toBe(409)
    expect(await ann.api(videos).uploads({})).toMatchObject({
      open: [{ id, key: 'my-film-key', name: 'My film_1.MP4', size: film.length, received: 100_000 }],
      usedBytes: film.length,
    })
    // Who begins it again, not knowing how it went, is given the same one.
    expect(await addressOf(begin(ann, film.length, metadata))).toBe(address)
    const head = await send(ann, 'HEAD', address)
    expect([head.status, head.headers.get('upload-offset'), head.headers.get('upload-length')]).toEqual([
      200,
      '100000',
      String(film.length),
    ])
    expect((await part(ann, address, 100_000, film.subarray(100_000))).status).toBe(204)
    expect(await settled(ann, id)).toMatchObject({
      status: 'ready',
      failure: null,
      file: { name: 'My film_1.MP4', size: film.length, sha256: hash(film) },
      container: 'mp4',
      durationMs: 8_000,
      width: 1280,
      height: 720,
      codec: 'h264',
    })
    // A sender who missed the end learns that all is there, and sends nothing again.
    const late = await send(ann, 'HEAD', address)
    expect([late.status, late.headers.get('upload-offset')]).toEqual([200, String(film.length)])
    expect((await part(ann, address, film.length, Buffer.alloc(0))).status).toBe(204)
    expect(await filesOf(id)).toEqual([])
    expect((await ann.api(videos).uploads({})).open).toEqual([])
    const history = await ann.api(videos).history({ id })
    expect(history.data.map(({ label }) => label).sort()).toEqual([
      'video.create',
      'video.ready',
      'video.upload',
    ])
  })

  it('may bring its first bytes with it', async () => {
    const film = mp4()
    const address = await addressOf(begin(ann, film.length, { filename: 'short.mp4' }, new Uint8Array(film)))
    expect(await settled(ann, idOf(address))).toMatchObject({ status: 'ready', container: 'mp4' })
  })

  it('is refused to who may not, to strangers, and where it is wrong', async () => {
    const viewer = await server.as('viewer')
    expect(await failed(begin(null, 10, { filename: 'a' }))).toEqual([401, 'auth.required'])
    expect(await failed(begin(viewer, 10, { filename: 'a' }))).toEqual([403, 'access.denied'])
    expect(await failed(begin(ann, 0, { filename: 'a' }))).toEqual([422, 'request.invalid'])
    expect(await failed(begin(ann, 10, {}))).toEqual([422, 'request.invalid'])
    expect(await failed(begin(ann, 10, { filename: `a${String.fromCharCode(0)}` }))).toEqual([
      422,
      'request.invalid',
    ])
    expect(await failed(begin(ann, 10, { filename: 'a', sha256: 'abc' }))).toEqual([422, 'request.invalid'])
    const deferred = { 'upload-defer-length': '1', 'upload-metadata': `filename ${base64('a')}` }
    expect(await failed(send(ann, 'POST', UPLOADS_PATH, deferred))).toEqual([422, 'request.invalid'])
    const options = await send(null, 'OPTIONS', UPLOADS_PATH)
    expect(options.headers.get('tus-extension')).toBe('creation,creation-with-upload,termination')
    expect(options.headers.get('access-control-allow-origin')).toBeNull()
    const { open } = await ann.api(videos).uploads({})
    expect(open).toEqual([])
  })

  it('is nobody else’s', async () => {
    const address = await addressOf(begin(ann, 1000, { filename: 'mine.mp4', key: 'the-same-key' }))
    expect((await send(ben, 'HEAD', address)).status).toBe(404)
    expect((await part(ben, address, 0, Buffer.alloc(10))).status).toBe(404)
    expect((await send(ben, 'DELETE', address)).status).toBe(404)
    expect((await ben.api(videos).uploads({})).open).toEqual([])
    const other = await addressOf(begin(ben, 1000, { filename: 'mine.mp4', key: 'the-same-key' }))
    expect(other).not.toBe(address)
    expect(await failed(begin(ben, 10, { filename: 'x', videoId: idOf(address) }))).toEqual([
      404,
      'record.not_found',
    ])
    expect((await send(ann, 'DELETE', address)).status).toBe(204)
    expect((await send(ann, 'HEAD', address)).status).toBe(404)
    expect(await ann.api(videos).get({ id: idOf(address) })).toMatchObject({
      status: 'failed',
      failure: 'cancelled',
    })
  })

  it('takes no more bytes than were announced, and never a file of another size', async () => {
    const address = await addressOf(begin(ann, 100, { filename: 'a.mp4', key: 'hundred-bytes' }))
    expect((await part(ann, address, 0, Buffer.alloc(101))).status).toBe(413)
    expect(await failed(begin(ann, 101, { filename: 'a.mp4', key: 'hundred-bytes' }))).toEqual([
      409,
      'video.wrong_size',
    ])
    await send(ann, 'DELETE', address)
  })
})

describe('what came', () => {
  it('is refused where it is not what was promised, and may be sent anew to the same video', async () => {
    const film = mp4({ seconds: 3 })
    const refused = await upload(ann, film, { filename: 'film.mp4', sha256: 'a'.repeat(64) })
    expect(refused).toMatchObject({ status: 'failed', failure: 'wrong_checksum', file: null })
    expect(await filesOf(refused.id)).toEqual([])
    const again = await upload(ann, film, { filename: 'film.mp4', videoId: refused.id })
    expect(again).toMatchObject({ id: refused.id, status: 'ready', durationMs: 3_000 })
    expect(await failed(begin(ann, 5, { filename: 'x', videoId: refused.id }))).toEqual([
      409,
      'record.wrong_state',
    ])
  })

  it('is refused where it is no video, whatever it is called', async () => {
    const page = Buffer.from('<html><script>alert(1)</script>')
    expect(await upload(ann, page, { filename: 'film.mp4' })).toMatchObject({
      status: 'failed',
      failure: 'not_a_video',
    })
  })

  it('is stored once, and nobody learns that another has it', async () => {
    const film = mp4({ seconds: 77 })
    const [first, second] = [
      await upload(ann, film, { filename: 'a.mp4' }),
      await upload(ann, film, { filename: 'b.mp4' }),
    ]
    const others = await upload(ben, film, { filename: 'c.mp4' })
    expect(await ann.api(videos).duplicates({ id: first.id })).toEqual([{ id: second.id, title: 'b' }])
    expect(await ben.api(videos).duplicates({ id: others.id })).toEqual([])
    const folder = join(server.deps.settings.dataDir, 'files', hash(film).slice(0, 2))
    expect((await readdir(folder)).filter((name) => name === hash(film))).toHaveLength(1)
    const named = () =>
      server.deps.db
        .execute(sql`select 1 from file where sha256 = ${hash(film)}`)
        .then(({ rows }) => rows.length)
    expect(await named()).toBe(3)
    await server.deps.db.execute(sql`delete from video where id = ${first.id}`)
    expect(await named()).toBe(2)
  })
})

describe('the limits', () => {
  it('hold for one file and for all of one person’s', async () => {
    const admin = await server.as('administrator')
    const set = async (key: 'videoMaxMegabytes' | 'videoStorageGigabytes', value: number | null) => {
      const { data } = await admin.api(system).settings({})
      const version = data.find((one) => one.key === key)?.version ?? 0
      await admin.api(system).saveSettings({ changes: [{ key, value, version }] })
    }
    await set('videoMaxMegabytes', 1)
    expect(await failed(begin(ann, 1024 * 1024 + 1, { filename: 'a' }))).toEqual([413, 'video.too_large'])
    await set('videoMaxMegabytes', 2_000)
    await set('videoStorageGigabytes', 1)
    const half = 600 * 1024 * 1024
    const cleo = await server.as('operator', 'cleo')
    const two = await Promise.all(
      [1, 2].map((n) => begin(cleo, half, { filename: 'a', key: `at-once-${n}` })),
    )
    expect(two.map(({ status }) => String(status)).sort()).toEqual(['201', '409'])
    await set('videoMaxMegabytes', null)
    await set('videoStorageGigabytes', null)
  })
})

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
    expect(await filesOf(id)).toEqual([])
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
    expect(await filesOf(id)).toEqual([])
    expect(await readdir(uploadsFolder(server.deps))).not.toContain(uploadName(none))
    expect((await send(ann, 'HEAD', address)).status).toBe(404)
    expect(await codeOf(ann.api(videos).play({ id }))).toBe('record.wrong_state')
  })
})
