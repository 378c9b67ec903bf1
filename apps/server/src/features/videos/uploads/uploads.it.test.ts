import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { system } from '@weft/contract/system/api'
import { UPLOADS_PATH, videos } from '@weft/contract/videos/api'
import type { TestPerson } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { mp4 } from '../testing/films.ts'
import { base64, uploadsOf } from '../testing/uploads.ts'

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
const { send, begin, failed, part, addressOf, idOf, filesOf, settled, upload } = uploadsOf(() => server)

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
      upload: { size: film.length, received: 0 },
    })
    const waiting = await ann.api(videos).create({ title: 'Not sent yet' })
    expect(waiting).toMatchObject({ status: 'uploading', upload: null })
    expect((await part(ann, address, 0, film.subarray(0, 100_000))).headers.get('upload-offset')).toBe(
      '100000',
    )
    expect((await part(ann, address, 0, film.subarray(0, 10))).status).toBe(409)
    expect((await ann.api(videos).get({ id })).upload).toEqual({ size: film.length, received: 100_000 })
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
      upload: null,
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
    await expect.poll(() => filesOf(id)).toEqual([])
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
    // The bytes go after the refusal is written, not before.
    await expect.poll(() => filesOf(refused.id)).toEqual([])
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
