import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { FileStore, type Configstore } from '@tus/file-store'
import { Server, Upload } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UPLOADS_PATH } from '@weft/contract/videos/api'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { admit, decisionsOf, type Caller } from '../../../kit/admit.ts'
import { AppError } from '../../../kit/app-error.ts'
import { NO_BODY } from '../../../kit/body.ts'
import type { CallContext, Work } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { exchangeOf } from '../../../kit/exchange.ts'
import { transact, holdForDatabase, type Actor } from '../../../kit/work.ts'
import { videoUpload, type VideoUploadRow } from '../table.ts'
import { announced } from './announced.ts'
import { beginUpload } from './begin.ts'
import { UploadLocker } from './locker.ts'
import { findUpload, isUpload, uploadName, uploadNamed, uploadPath, uploadsFolder } from './rows.ts'
import { giveUp, noteArrived, received, receivedBytes } from './settle.ts'

const BYTES = 'application/offset+octet-stream'
const TUS_VERSION = '1.0.0'

type Person = Extract<Caller, { kind: 'user' }>

/**
 * Uploads by the tus protocol, 1.0. The protocol's own package speaks it and writes the bytes; who may, how much, and what
 * an upload is, is ours and stands in the database, so an upload outlives reloads and servers.
 */
export function mountUploads(app: FastifyInstance): void {
  const { deps } = app
  const uploads = new WeakMap<Request, VideoUploadRow>()
  const tus = tusServer(deps, uploads)
  const handOver = async (request: FastifyRequest, upload: VideoUploadRow) => {
    await ensureFile(deps, upload)
    const web = webRequest(request)
    uploads.set(web, upload)
    return settled(deps, upload, tus.handleWeb(web))
  }

  // Only here are bodies let through as they come.
  void app.register((scope, _options, done) => {
    scope.addContentTypeParser(BYTES, (_request, payload, ready) => ready(null, payload))
    scope.route({
      method: 'OPTIONS',
      url: UPLOADS_PATH,
      handler: async (request, reply) => answer(reply, await tus.handleWeb(webRequest(request))),
    })
    scope.route({
      method: 'POST',
      url: UPLOADS_PATH,
      config: { endpoint: 'videos.upload' },
      handler: async (request, reply) => {
        const person = await letIn(deps, request)
        const given = announced(request.headers)
        const { upload, known } = await transact(deps, actorOf(person, request), (work) =>
          beginUpload(contextOf(work, person, request, reply), deps, given),
        )
        if (known) return tell(reply.code(201).header('location', `${UPLOADS_PATH}/${upload.id}`))
        return answer(reply, await handOver(request, upload))
      },
    })
    scope.route({
      method: ['HEAD', 'PATCH'],
      url: `${UPLOADS_PATH}/:id`,
      config: { endpoint: 'videos.upload' },
      handler: async (request, reply) => {
        const upload = await uploadOf(deps, request)
        // Its bytes have gone on to where they stay; who missed the end is told that all is there.
        if (upload.receivedAt !== null) return whole(request, reply, upload)
        if (request.method === 'PATCH') await touch(deps, upload)
        return answer(reply, await handOver(request, upload))
      },
    })
    scope.route({
      method: 'DELETE',
      url: `${UPLOADS_PATH}/:id`,
      config: { endpoint: 'videos.upload' },
      handler: async (request, reply) => {
        const person = await letIn(deps, request)
        const upload = await uploadOf(deps, request, person)
        if (upload.receivedAt !== null) throw new AppError('record.wrong_state', { state: 'processing' })
        await giveUp(deps, upload, 'cancelled', { actor: actorOf(person, request) })
        return tell(reply.code(204))
      },
    })
    done()
  })
}

/** The package's store, where a file is never emptied that somebody may have begun to fill. */
class Store extends FileStore {
  override create(upload: Upload): Promise<Upload> {
    return Promise.resolve(upload)
  }
}

/** The file of an upload that was written down: a server may have been killed before it made that. */
async function ensureFile(deps: Deps, upload: VideoUploadRow): Promise<void> {
  await (await open(uploadPath(deps, upload), 'a', 0o600)).close()
}

function tusServer(deps: Deps, uploads: WeakMap<Request, VideoUploadRow>): Server {
  const nameOf = (request: Request) => {
    const upload = uploads.get(request)
    return upload && uploadName(upload)
  }
  const store = new Store({ directory: uploadsFolder(deps), configstore: rowsAsConfig(deps) })
  // A length that is told later could not be held against anybody's limit.
  store.extensions = ['creation', 'creation-with-upload', 'termination']
  return new Server({
    path: UPLOADS_PATH,
    datastore: store,
    locker: new UploadLocker(deps),
    generateUrl: (_request, { path, id }) => `${path}/${uploadNamed(id)?.id ?? id}`,
    getFileIdFromRequest: nameOf,
    namingFunction: (request) => nameOf(request) ?? randomUUID(),
    onResponseError: (_request, error) => {
      // Its own refusals have a status; anything else is a failure of the server's.
      if (!('status_code' in error)) deps.log.error({ err: error }, 'an upload failed')
      return undefined
    },
  })
}

/** What the package keeps beside each file is a row of ours already. */
function rowsAsConfig(deps: Deps): Configstore {
  return {
    async get(id) {
      const named = uploadNamed(id)
      const [row] = named ? await deps.db.select().from(videoUpload).where(isUpload(named)) : []
      return row && new Upload({ id, size: row.size, offset: 0, creation_date: row.createdAt.toISOString() })
    },
    set: () => Promise.resolve(),
    delete: () => Promise.resolve(),
  }
}

/** The right that uploading asks for; asking how far an upload is changes nothing. */
function rightFor(method: string): Endpoint {
  return {
    name: 'videos.upload',
    method: method === 'HEAD' ? 'GET' : 'POST',
    path: UPLOADS_PATH,
    access: { action: 'CREATE', subject: 'VIDEO' },
    summary: 'Upload a video by tus',
  }
}

async function letIn(deps: Deps, request: FastifyRequest): Promise<Person> {
  const caller = await holdForDatabase(deps, () => admit(deps, rightFor(request.method), request))
  if (caller.kind !== 'user') throw new AppError('auth.required')
  return caller
}

async function uploadOf(deps: Deps, request: FastifyRequest, known?: Person): Promise<VideoUploadRow> {
  const person = known ?? (await letIn(deps, request))
  const { id } = request.params as { id: string }
  return holdForDatabase(deps, () => findUpload(deps.db, id, person.user.id))
}

/** Once the last byte has come, the sender is answered when that is written down, and not before. */
async function settled(deps: Deps, upload: VideoUploadRow, answering: Promise<Response>): Promise<Response> {
  const response = await answering
  const bytes = await receivedBytes(deps, upload)
  if (bytes < upload.size) {
    if (bytes !== upload.received) await noteArrived(deps, upload, bytes)
  } else if (!(await received(deps, upload))) throw new AppError('record.not_found')
  return response
}

async function touch(deps: Deps, upload: VideoUploadRow): Promise<void> {
  await deps.db.update(videoUpload).set({ touchedAt: deps.now() }).where(isUpload(upload))
}

function whole(request: FastifyRequest, reply: FastifyReply, { size }: VideoUploadRow): FastifyReply {
  const offset = Number(request.headers['upload-offset'] ?? size)
  if (offset !== size) return tell(reply.code(409))
  void reply.header('upload-offset', size).header('upload-length', size)
  return tell(reply.code(request.method === 'HEAD' ? 200 : 204))
}

function tell(reply: FastifyReply): FastifyReply {
  return reply.header('tus-resumable', TUS_VERSION).send()
}

function actorOf({ user, tokenName }: Person, request: FastifyRequest): Actor {
  const name = tokenName === undefined ? user.username : `${user.username} (${tokenName})`
  return { id: user.id, name, address: request.ip, requestId: request.id, label: 'video.create' }
}

function contextOf(work: Work, person: Person, request: FastifyRequest, reply: FastifyReply): CallContext {
  const { user, sessionId, tokenName, viewer } = person
  return {
    ...work,
    ...decisionsOf(user),
    user,
    sessionId,
    tokenName,
    viewer,
    requestId: request.id,
    address: request.ip,
    signal: request.callerGone,
    http: exchangeOf(request, reply),
    body: NO_BODY,
  }
}

/** The request as the package takes it; the body is read as it comes. */
function webRequest(request: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.set(name, value)
  const takesBytes = request.headers['content-type'] === BYTES
  const init = { method: request.method, headers }
  const url = `http://upload${request.url}`
  if (!takesBytes || request.method === 'HEAD') return new Request(url, init)
  const withBody: RequestInit & { duplex: 'half' } = { ...init, body: streamOf(request.raw), duplex: 'half' }
  return new Request(url, withBody)
}

/** The body as it comes; whoever stops reading it ends no connection. */
function streamOf(body: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks: AsyncIterator<Buffer<ArrayBuffer>> = body.iterator({ destroyOnReturn: false })
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
  })
}

/** Pages of other sites have no business here, so what the package says to them is left out. */
async function answer(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  void reply.code(response.status)
  for (const [name, value] of response.headers)
    if (!name.startsWith('access-control-') && name !== 'content-length') void reply.header(name, value)
  return reply.send(await response.text())
}
