import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { POSTER_MAX_BYTES, UPLOADS_PATH, videos } from '@weft/contract/videos/api'
import type { Video } from '@weft/contract/videos/schema'
import { codeOf } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { mp4 } from './testing/films.ts'
import { processUpload } from './uploads/process.ts'

let server: TestServer
let ann: TestPerson
let ben: TestPerson
let film: Video
const bytes = mp4({ seconds: 4, pictures: 2_000 })

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
  ben = await server.as('operator', 'ben')
  film = await uploadOf(ann, bytes, 'فيلم "1"\r\n; x.html')
})
afterAll(() => server.stop())

async function uploadOf(who: TestPerson, body: Buffer, name: string): Promise<Video> {
  const answer = await fetch(server.url + UPLOADS_PATH, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${who.token}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(body.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(body),
  })
  const id = answer.headers.get('location')?.slice(UPLOADS_PATH.length + 1) ?? ''
  await processUpload(server.deps, id)
  return who.api(videos).get({ id })
}

interface Asked {
  cookie?: string
  token?: string
  method?: string
  headers?: Record<string, string>
}
const content = (id: string, { cookie, token, method = 'GET', headers = {} }: Asked, query = '') =>
  fetch(`${server.url}${videos.content.path.replace('{id}', id)}${query}`, {
    method,
    headers: {
      ...headers,
      ...(cookie ? { cookie } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
  })

/** The cookie that a player of this person's sends. */
async function ticketOf(who: TestPerson, id: string): Promise<string> {
  const answer = await fetch(`${server.url}${videos.play.path.replace('{id}', id)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  const set = answer.headers.get('set-cookie') ?? ''
  expect(set).toMatch(/HttpOnly/)
  expect(set).toMatch(/SameSite=Strict/)
  expect(set).toContain(`Path=${videos.content.path.replace('{id}', id)}`)
  return set.split(';', 1)[0] ?? ''
}

describe('a player', () => {
  it('reads what it needs, in parts, with nothing but its ticket', async () => {
    const cookie = await ticketOf(ann, film.id)
    const whole = await content(film.id, { cookie })
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${film.file?.sha256}"`,
    })
    expect(whole.headers.get('content-disposition')).toBeNull()
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    const middle = await content(film.id, { cookie, headers: { range: 'bytes=4-7' } })
    expect([middle.status, middle.headers.get('content-range'), await middle.text()]).toEqual([
      206,
      `bytes 4-7/${bytes.length}`,
      'ftyp',
    ])
    const beyond = await content(film.id, { cookie, headers: { range: `bytes=${bytes.length}-` } })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
    const head = await content(film.id, { cookie, method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(bytes.length),
      '',
    ])
    const etag = whole.headers.get('etag') ?? ''
    expect((await content(film.id, { cookie, headers: { 'if-none-match': etag } })).status).toBe(304)
    const changed = { range: 'bytes=0-3', 'if-range': '"another"' }
    expect((await content(film.id, { cookie, headers: changed })).status).toBe(200)
    expect((await content(film.id, { cookie, headers: { ...changed, 'if-range': etag } })).status).toBe(206)
    const saved = await content(film.id, { token: ann.token }, '?download=true')
    expect(saved.headers.get('content-disposition')).toMatch(
      /^attachment; filename\*=UTF-8''%D9%81[\w%.-]*x\.html$/,
    )
    expect(saved.headers.get('content-type')).toBe('video/mp4')
  })

  it('is let in by nothing else: no ticket, another video’s, one that was touched, or one of an ended session', async () => {
    expect((await content(film.id, {})).status).toBe(401)
    const cookie = await ticketOf(ann, film.id)
    const other = await uploadOf(ann, mp4({ seconds: 9 }), 'other.mp4')
    expect((await content(other.id, { cookie })).status).toBe(401)
    expect((await content(film.id, { cookie: `${cookie.slice(0, -3)}abc` })).status).toBe(401)
    expect((await content(film.id, { cookie: cookie.replace(/\.\d{13}\./, '.9999999999999.') })).status).toBe(
      401,
    )
    const cleo = await server.as('operator', 'cleo')
    const hers = await uploadOf(cleo, mp4({ seconds: 10 }), 'hers.mp4')
    const ticket = await ticketOf(cleo, hers.id)
    expect((await content(hers.id, { cookie: ticket })).status).toBe(200)
    await server.deps.db.execute(sql`update session set ended_at = now() where user_id = ${cleo.id}`)
    expect((await content(hers.id, { cookie: ticket })).status).toBe(401)
  })

  it('of somebody else finds nothing', async () => {
    expect(await codeOf(ben.api(videos).play({ id: film.id }))).toBe('record.not_found')
    expect((await content(film.id, { token: ben.token })).status).toBe(404)
    expect((await content(randomUUID(), { token: ann.token })).status).toBe(404)
    const viewer = await server.as('viewer')
    expect((await content(film.id, { cookie: await ticketOf(viewer, film.id) })).status).toBe(200)
  })
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe('a poster', () => {
  it('is a small picture, seen by who may see the video, and kept by browsers', async () => {
    const { poster } = await ann.api(videos).setPoster({ id: film.id }, { body: new Uint8Array(PNG) })
    expect((await ann.api(videos).get({ id: film.id })).poster).toBe(poster)
    const shown = await ann.api(videos).poster({ id: film.id, v: poster })
    expect(shown.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await shown.arrayBuffer()).equals(PNG)).toBe(true)
    expect(await codeOf(ben.api(videos).poster({ id: film.id }))).toBe('record.not_found')
    expect(await codeOf(ben.api(videos).setPoster({ id: film.id }, { body: new Uint8Array(PNG) }))).toBe(
      'record.not_found',
    )
    const viewer = await server.as('viewer')
    expect(await codeOf(viewer.api(videos).setPoster({ id: film.id }, { body: new Uint8Array(PNG) }))).toBe(
      'access.denied',
    )
  })

  it('is nothing else', async () => {
    const set = (body: Buffer) =>
      codeOf(ann.api(videos).setPoster({ id: film.id }, { body: new Uint8Array(body) }))
    expect(await set(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe(
      'request.unsupported_type',
    )
    expect(await set(PNG.subarray(0, 20))).toBe('request.unsupported_type')
    expect(await set(bytes)).toBe('request.unsupported_type')
    const wide = Buffer.from(PNG)
    wide.writeUInt32BE(40_000, 16)
    expect(await set(wide)).toBe('request.invalid')
    expect(await set(Buffer.concat([PNG, Buffer.alloc(POSTER_MAX_BYTES)]))).toBe('request.too_large')
  })
})

describe('a video', () => {
  it('is archived and offered again, and only from where that leads', async () => {
    const api = ann.api(videos)
    expect((await api.get({ id: film.id })).can).toContain('archive')
    expect(await api.archive({ id: film.id })).toMatchObject({
      status: 'archived',
      cannot: { archive: 'record.wrong_state' },
    })
    expect(await codeOf(api.archive({ id: film.id }))).toBe('record.wrong_state')
    expect(await api.unarchive({ id: film.id })).toMatchObject({ status: 'ready' })
    const { id } = await api.create({ title: 'Waits' })
    expect(await codeOf(api.archive({ id }))).toBe('record.wrong_state')
    expect(await codeOf(ben.api(videos).archive({ id: film.id }))).toBe('record.not_found')
  })

  it('is listed by its own call, found by its title, and sorted', async () => {
    const { data } = await ann.api(videos).list({ q: '.html', sortBy: 'title' })
    expect(data).toEqual([])
    const found = await ann.api(videos).list({ q: 'فيلم', status: ['ready'] })
    expect(found.data.map(({ id }) => id)).toEqual([film.id])
    expect((await ben.api(videos).list({})).data).toEqual([])
  })
})
