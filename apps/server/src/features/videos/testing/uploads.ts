import { readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { UPLOADS_PATH, videos } from '@weft/contract/videos/api'
import type { Video } from '@weft/contract/videos/schema'
import type { TestPerson } from '../../../testing/people.ts'
import type { TestServer } from '../../../testing/server.ts'
import { videoUpload } from '../table.ts'
import { uploadPath, uploadsFolder } from '../uploads/rows.ts'

/** A value as metadata of an upload has it. */
export const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Uploads to a server by the tus protocol, as a browser's client speaks it, and what became of them. */
export function uploadsOf(server: () => TestServer) {
  function send(
    who: TestPerson | null,
    method: string,
    address: string,
    headers: Record<string, string> = {},
    body?: Uint8Array<ArrayBuffer>,
  ) {
    return fetch(server().url + address, {
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
    const [row] = await server()
      .deps.db.select()
      .from(videoUpload)
      .where(eq(videoUpload.id, idOf(address)))
    if (!row) throw new Error('no such upload')
    return uploadPath(server().deps, row)
  }

  const filesOf = async (id: string) =>
    (await readdir(uploadsFolder(server().deps))).filter((name) => name.startsWith(id))

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

  return { send, begin, failed, part, addressOf, idOf, pathOf, filesOf, settled, upload }
}
