import { createHash, randomFillSync } from 'node:crypto'
import { UPLOADS_PATH, UPLOAD_CHUNK_BYTES } from '@weft/contract/videos/api'
import { mp4 } from '../apps/server/src/features/videos/testing/films.ts'
import { until, Weft } from '../e2e/support/weft.ts'
import { report, type BenchRow } from './support/server.ts'

const PICTURES = 500 * 1024 * 1024
const KILLS = 5
const PIECE = 256 * 1024

type Headers = Record<string, string>

/** Sends one chunk piece by piece; gives how many bytes left this side. A kill comes when half of it has gone. */
async function sendChunk(
  weft: Weft,
  address: string,
  at: { headers: Headers; offset: number; chunk: Buffer; kill: boolean },
): Promise<number> {
  let given = 0
  let killed: Promise<void> | undefined
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (given >= at.chunk.length) return controller.close()
      if (at.kill && given > at.chunk.length / 2) {
        killed ??= weft.killServer()
        return controller.error(new Error('the server is gone'))
      }
      controller.enqueue(at.chunk.subarray(given, given + PIECE))
      given = Math.min(at.chunk.length, given + PIECE)
      return undefined
    },
  })
  const request: RequestInit & { duplex: 'half' } = {
    method: 'PATCH',
    headers: {
      ...at.headers,
      'upload-offset': String(at.offset),
      'content-type': 'application/offset+octet-stream',
    },
    body,
    duplex: 'half',
  }
  const answer = await fetch(weft.url + address, request).catch(() => null)
  await killed
  if (!at.kill && answer?.status !== 204) throw new Error(`a chunk was not taken: ${answer?.status}`)
  return given
}

async function offsetOf(weft: Weft, address: string, headers: Headers): Promise<number> {
  const answer = await fetch(weft.url + address, { method: 'HEAD', headers })
  if (!answer.ok) throw new Error(`the upload is gone: ${answer.status}`)
  return Number(answer.headers.get('upload-offset'))
}

/** 500 MB by tus, the server killed five times in the middle of a chunk. */
export async function run(): Promise<BenchRow[]> {
  const film = mp4({ seconds: 60, pictures: PICTURES })
  // No byte is like another, so that none can be lost or come twice unseen.
  randomFillSync(film, 1024, PICTURES - 2048)
  const sha256 = createHash('sha256').update(film).digest('hex')
  const weft = await Weft.start({ WEFT_LOCAL_AGENT: '0' })
  try {
    const api = await weft.setUp()
    const headersNow = async (): Promise<Headers> => ({
      ...(await (await weft.signIn()).transport.headers?.()),
      'tus-resumable': '1.0.0',
    })
    let headers = await headersNow()
    const begun = await fetch(weft.url + UPLOADS_PATH, {
      method: 'POST',
      headers: {
        ...headers,
        'upload-length': String(film.length),
        'upload-metadata': `filename ${Buffer.from('film.mp4').toString('base64')}`,
      },
    })
    const address = begun.headers.get('location') ?? ''
    let sent = 0
    let kills = 0
    let away = 0
    const started = performance.now()
    for (let offset = 0; offset < film.length;) {
      const kill = kills < KILLS && offset >= ((kills + 1) / (KILLS + 1)) * film.length
      const chunk = film.subarray(offset, offset + UPLOAD_CHUNK_BYTES)
      sent += await sendChunk(weft, address, { headers, offset, chunk, kill })
      if (kill) {
        kills += 1
        const gone = performance.now()
        await weft.startServer()
        headers = await headersNow()
        away += performance.now() - gone
      }
      offset = kill ? await offsetOf(weft, address, headers) : offset + chunk.length
    }
    const seconds = (performance.now() - started - away) / 1000
    const id = address.slice(UPLOADS_PATH.length + 1)
    const looked = performance.now()
    const video = await until('the video to be ready', async () => {
      const now = await api.videos.get({ id })
      return now.status === 'processing' ? null : now
    })
    const ready = (performance.now() - looked) / 1000
    const again = sent - film.length
    const same = video.status === 'ready' && video.file?.sha256 === sha256
    return [
      {
        name: 'server killed during the upload',
        value: kills,
        unit: '',
        bar: `${KILLS}`,
        ok: kills === KILLS,
      },
      {
        name: 'the stored file has the checksum of the sent one',
        value: Number(same),
        unit: '',
        bar: '1',
        ok: same,
      },
      {
        name: 'sent more than once, in all',
        value: again / 1024 / 1024,
        unit: 'MiB',
        bar: `≤ ${(KILLS * UPLOAD_CHUNK_BYTES) / 1024 / 1024}`,
        ok: again <= KILLS * UPLOAD_CHUNK_BYTES,
      },
      {
        name: 'upload, without the restarts',
        value: film.length / 1e6 / seconds,
        unit: 'MB/s',
        bar: '',
        ok: true,
      },
      { name: 'looked at, once all was there', value: ready, unit: 's', bar: '', ok: true },
    ]
  } finally {
    await weft.stop()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
