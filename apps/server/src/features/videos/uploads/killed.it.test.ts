import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { wholeSignIn } from '@weft/contract/access/schema'
import { clientOf } from '@weft/contract/core/client'
import { UPLOADS_PATH, videos } from '@weft/contract/videos/api'
import { testDatabase, testFolder, type TestDatabase } from '../../../testing/cluster.ts'
import { PROGRAM_ADMIN, programOn, type Program } from '../../../testing/program.ts'
import { mp4 } from '../testing/films.ts'

const MB = 1024 * 1024
const CHUNK = MB
/** So much is on its way when the server is killed: the chunk is neither all there nor not there at all. */
const BEFORE_KILL = 300_000

let database: TestDatabase
let folder: Awaited<ReturnType<typeof testFolder>>
let program: Program

beforeAll(async () => {
  database = await testDatabase()
  folder = await testFolder()
  program = await programOn(database, folder.path)
})
afterAll(async () => {
  await program.end('SIGTERM')
  await database.drop()
  await folder.remove()
})

async function signedIn(): Promise<Record<string, string>> {
  const { token } = wholeSignIn(
    await clientOf({ baseUrl: program.url }, access).login({ ...PROGRAM_ADMIN, remember: false }),
  )
  return { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
}

async function offsetOf(address: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(program.url + address, { method: 'HEAD', headers })
  expect(answer.status).toBe(200)
  return Number(answer.headers.get('upload-offset'))
}

/** How much of the film lies on the server's disk. */
async function stored(): Promise<number> {
  const uploads = join(folder.path, 'uploads')
  const sizes = (await readdir(uploads)).map(async (name) => (await stat(join(uploads, name))).size)
  return Math.max(0, ...(await Promise.all(sizes)))
}

/** Sends one chunk; with `kill`, only its beginning, and then there is no server any more. */
async function sendChunk(
  address: string,
  headers: Record<string, string>,
  at: { offset: number; film: Buffer; kill: boolean },
): Promise<number> {
  const chunk = at.film.subarray(at.offset, at.offset + CHUNK)
  let given = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (given >= chunk.length) return controller.close()
      const part = chunk.subarray(given, given + 100_000)
      given += part.length
      controller.enqueue(part)
      if (!at.kill || given < BEFORE_KILL) return undefined
      await expect.poll(stored).toBeGreaterThan(at.offset)
      await program.end('SIGKILL')
      return controller.error(new Error('the server is gone'))
    },
  })
  const request: RequestInit & { duplex: 'half' } = {
    method: 'PATCH',
    headers: {
      ...headers,
      'upload-offset': String(at.offset),
      'content-type': 'application/offset+octet-stream',
    },
    body,
    duplex: 'half',
  }
  const answer = await fetch(program.url + address, request).catch(() => null)
  if (!at.kill) expect(answer?.status).toBe(204)
  return given
}

it('goes on after the server was killed twice in the middle of it, and sends next to nothing again', async () => {
  const film = mp4({ seconds: 20, pictures: 5 * MB })
  const sha256 = createHash('sha256').update(film).digest('hex')
  let headers = await signedIn()
  const begun = await fetch(program.url + UPLOADS_PATH, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(film.length),
      'upload-metadata': `filename ${Buffer.from('film.mp4').toString('base64')},sha256 ${Buffer.from(sha256).toString('base64')}`,
    },
  })
  const address = begun.headers.get('location') ?? ''
  let sent = 0
  let kills = 0
  for (let offset = 0; offset < film.length;) {
    const kill = kills < 2 && offset >= (kills + 1) * CHUNK
    sent += await sendChunk(address, headers, { offset, film, kill })
    if (kill) {
      kills += 1
      program = await programOn(database, folder.path)
      headers = await signedIn()
    }
    offset = await offsetOf(address, headers)
  }
  expect(kills).toBe(2)
  // What had come before each kill is still there.
  expect(sent - film.length).toBeLessThan(2 * BEFORE_KILL)
  const api = clientOf({ baseUrl: program.url, headers: () => headers }, videos)
  const id = address.slice(UPLOADS_PATH.length + 1)
  for (let turn = 0; turn < 100 && (await api.get({ id })).status === 'processing'; turn += 1)
    await delay(100)
  expect(await api.get({ id })).toMatchObject({
    status: 'ready',
    durationMs: 20_000,
    file: { sha256, size: film.length },
  })
})
