import { DetailedError, Upload } from 'tus-js-client'
import { UPLOADS_PATH, UPLOAD_CHUNK_BYTES } from '@weft/contract/videos/api'
import { codeWithoutBody } from '@weft/contract/core/away'
import { errorBodySchema } from '@weft/contract/core/errors'
import { transport } from '../../../lib/api.ts'
import type { UploadFailure } from './queue.ts'

/** Waits between tries, in all about ten minutes; each chunk that arrives begins them anew. */
const RETRY_MS = [
  0, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 60_000, 60_000, 120_000, 120_000, 120_000,
]
const SIGN_IN_TRIES = 2

/** What is told of an upload while it goes on. */
export interface Told {
  progress: (sent: number) => void
  /** The server has so much of it, for certain. */
  arrived: (bytes: number) => void
  /** The server cannot be reached; it is tried again by itself. */
  stalled: () => void
  done: (videoId: string) => void
  failed: (failure: UploadFailure) => void
}

/** An upload under way. */
export interface Sending {
  pause: () => Promise<void>
  /** Ends it for good: the server forgets what came. */
  cancel: () => Promise<void>
}

/** Where an upload of the server's is. */
const addressOf = (id: string) => `${location.origin}${UPLOADS_PATH}/${id}`

async function authorize(request: { setHeader: (name: string, value: string) => void }): Promise<void> {
  for (const [name, value] of Object.entries((await transport.headers?.()) ?? {}))
    request.setHeader(name, value)
}

/** Sends a file, from where the server has it. */
export function send(
  file: File,
  options: { key: string; known: string | null; videoId: string | null },
  told: Told,
): Sending {
  const upload = new Upload(file, {
    endpoint: `${location.origin}${UPLOADS_PATH}`,
    ...(options.known === null ? {} : { uploadUrl: addressOf(options.known) }),
    chunkSize: UPLOAD_CHUNK_BYTES,
    retryDelays: RETRY_MS,
    metadata: {
      filename: file.name,
      key: options.key,
      ...(options.videoId === null ? {} : { videoId: options.videoId }),
    },
    // The server knows by the key what it has, so nothing of it is kept in this browser.
    storeFingerprintForResuming: false,
    onBeforeRequest: authorize,
    onShouldRetry(error, attempt) {
      if (!isWorthRetrying(error, attempt)) return false
      told.stalled()
      return true
    },
    onProgress: (sent) => told.progress(sent),
    onChunkComplete: (_size, accepted) => told.arrived(accepted),
    onSuccess: () =>
      told.done(new URL(upload.url ?? '', location.origin).pathname.slice(UPLOADS_PATH.length + 1)),
    onError: (error) => told.failed(failureOf(error)),
  })
  upload.start()
  return {
    pause: () => upload.abort(),
    async cancel() {
      await upload.abort()
      if (upload.url !== null) await terminate(upload.url)
    },
  }
}

/** Has the server forget an upload that was begun. */
export function discard(id: string): Promise<void> {
  return terminate(addressOf(id))
}

async function terminate(url: string): Promise<void> {
  await Upload.terminate(url, { onBeforeRequest: authorize, retryDelays: [500, 2000] })
}

/** What another try could mend: a lost network, a busy server, an offset that is asked for anew. */
function isWorthRetrying(error: DetailedError | Error, attempt: number): boolean {
  const answer = error instanceof DetailedError ? error.originalResponse : null
  const status = answer?.getStatus() ?? 0
  if (status === 401) return attempt < SIGN_IN_TRIES
  // A refusal has a code of ours; the protocol's own conflicts have none.
  if (status === 409 || status === 423) return bodyOf(answer?.getBody()) === undefined
  return status === 0 || status === 429 || (status >= 500 && status !== 507)
}

function failureOf(error: DetailedError | Error): UploadFailure {
  const answer = error instanceof DetailedError ? error.originalResponse : null
  const body = bodyOf(answer?.getBody())
  if (body) return { code: body.code, message: body.message, ...(body.params ? { params: body.params } : {}) }
  return { code: codeWithoutBody(answer?.getStatus() ?? 0) }
}

function bodyOf(text: string | undefined) {
  try {
    return errorBodySchema.safeParse(JSON.parse(text ?? '')).data
  } catch {
    // The protocol's own refusals are plain text.
    return undefined
  }
}
