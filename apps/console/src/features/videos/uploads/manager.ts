import { videos } from '@weft/contract/videos/api'
import type { Video } from '@weft/contract/videos/schema'
import { toast } from '../../../kit/toast/toast.ts'
import { call } from '../../../lib/api.ts'
import { isAway, isFailure } from '../../../lib/failure.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../../lib/query.ts'
import { sessionEnded } from '../../../lib/session/session.ts'
import { frameOf } from './frame.ts'
import { mayBeVideo, uploadKey } from './key.ts'
import { patiently } from './patience.ts'
import { change, enqueue, isUnderWay, nextToSend, queue, type UploadFailure } from './queue.ts'
import { rateMeter } from './rate.ts'
import type { Sending } from './sender.ts'

/** The protocol's client is fetched with the first file. */
const loadSender = () => import('./sender.ts')

const LOOK_EVERY_MS = 700
/** Names that fit into one address. */
const KEYS_AT_ONCE = 150
const MEGABYTE = 1_000_000

const files = new Map<string, File>()
const sendings = new Map<string, Sending>()
/** Videos that a file was chosen for, and uploads that the server has begun already, by key. */
const meant = new Map<string, string>()
const begun = new Map<string, string>()
/** Tells one beginning to send a file from an earlier one that has come to nothing. */
const beginnings = new Map<string, object>()

const UNREACHABLE: UploadFailure = { code: 'network.unreachable' }
const itemOf = (key: string) => queue.get().find((item) => item.key === key)

/** Puts files into the queue and begins to send them. `videoId` names a video that waits for its file. */
export function addFiles(chosen: readonly File[], videoId?: string): Promise<void> {
  return add(chosen, videoId).catch(toast.failure)
}

async function add(chosen: readonly File[], videoId?: string): Promise<void> {
  const keys = chosen.slice(0, KEYS_AT_ONCE).map(uploadKey)
  // Where no answer comes, the server says when the file is sent what it has of it already, and whether it fits.
  const room = await call(videos.uploads, { keys }).catch((error: unknown) => {
    if (!isAway(error)) throw error
  })
  for (const { key, id } of room?.open ?? []) begun.set(key, id)
  const entries = chosen.map((file) => {
    const key = uploadKey(file)
    files.set(key, file)
    if (videoId !== undefined) meant.set(key, videoId)
    const failure = obstacle(file, room?.maxBytes ?? Infinity)
    return { key, name: file.name, size: file.size, ...(failure ? { failure } : {}) }
  })
  queue.set(enqueue(queue.get(), entries))
  pump()
}

function failureOf(error: unknown): UploadFailure {
  return isFailure(error) ? error.body : { code: 'system.failed' }
}

/** What speaks against a file before a byte of it is sent. */
function obstacle(file: File, maxBytes: number): UploadFailure | undefined {
  if (file.size === 0) return { code: 'empty' }
  if (!mayBeVideo(file)) return { code: 'type' }
  if (file.size > maxBytes)
    return { code: 'video.too_large', params: { megabytes: Math.floor(maxBytes / MEGABYTE) } }
  return undefined
}

function pump(): void {
  for (const { key } of nextToSend(queue.get())) {
    change(key, { state: 'sending' })
    void start(key)
  }
}

async function start(key: string): Promise<void> {
  const file = files.get(key)
  if (!file) return fail(key, { code: 'gone' })
  const mine = {}
  beginnings.set(key, mine)
  const sender = await loadSender().catch(() => undefined)
  // Paused, taken out or begun anew while the client was fetched.
  if (beginnings.get(key) !== mine || itemOf(key)?.state !== 'sending') return undefined
  if (!sender) return fail(key, UNREACHABLE)
  const meter = rateMeter(performance.now(), itemOf(key)?.sent ?? 0)
  const where = { key, known: begun.get(key) ?? null, videoId: meant.get(key) ?? null }
  const sending = sender.send(file, where, {
    progress(sent) {
      const bytesPerSecond = meter.at(performance.now(), sent)
      if (bytesPerSecond !== undefined || sent === file.size)
        change(key, { state: 'sending', sent, ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }) })
    },
    arrived: (sent) => change(key, { state: 'sending', sent }),
    stalled: () => change(key, { state: 'stalled', bytesPerSecond: null }),
    done: (videoId) => void check(key, videoId),
    failed: (failure) => fail(key, failure),
  })
  sendings.set(key, sending)
  return undefined
}

function fail(key: string, failure: UploadFailure): void {
  sendings.delete(key)
  change(key, { state: 'failed', failure, bytesPerSecond: null })
  pump()
}

/** All bytes are there: waits for what the server finds, and gives the video its picture. */
async function check(key: string, videoId: string): Promise<void> {
  sendings.delete(key)
  begun.delete(key)
  const size = files.get(key)?.size ?? 0
  change(key, {
    state: 'checking',
    videoId,
    failure: null,
    bytesPerSecond: null,
    ...(size ? { sent: size } : {}),
  })
  pump()
  try {
    const video = await settled(videoId)
    if (video.status === 'failed')
      change(key, { state: 'failed', failure: { code: `failure.${video.failure ?? 'unreadable'}` } })
    else {
      await givePicture(key, video)
      const [sameAs = null] = await patiently(() => call(videos.duplicates, { id: videoId }))
      change(key, { state: 'done', sameAs })
      toast.success(text('videos:upload.finished', { name: video.title }))
    }
    files.delete(key)
    meant.delete(key)
  } catch (error) {
    change(key, { state: 'failed', failure: failureOf(error) })
  } finally {
    void invalidateFeatures(['videos'])
  }
}

async function settled(id: string): Promise<Video> {
  for (;;) {
    const video = await patiently(() => call(videos.get, { id }))
    if (video.status !== 'processing' && video.status !== 'uploading') return video
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

async function givePicture(key: string, { id, poster, can }: Video): Promise<void> {
  const file = files.get(key)
  if (!file || poster !== null || !can.includes('update')) return
  const picture = await frameOf(file).catch(() => null)
  // A video without a picture is as good as one with it.
  if (picture) await call(videos.setPoster, { id }, { body: picture }).catch(() => undefined)
}

/** Stops sending a file; what came stays. */
export async function pauseUpload(key: string): Promise<void> {
  change(key, { state: 'paused', bytesPerSecond: null })
  await sendings.get(key)?.pause()
  sendings.delete(key)
  await rememberBegun(key)
  pump()
}

/** Goes on with a file that was paused or failed. */
export async function resumeUpload(key: string): Promise<void> {
  const videoId = itemOf(key)?.videoId ?? null
  // All of it is there: only what came of it could not be asked for.
  if (videoId !== null) return check(key, videoId)
  await rememberBegun(key)
  change(key, { state: 'waiting', failure: null })
  pump()
  return undefined
}

/** Which uploads the server has begun, so that they go on where they stopped. */
async function rememberBegun(wanted: string): Promise<void> {
  const room = await call(videos.uploads, { keys: [wanted] }).catch(() => null)
  for (const { key, id } of room?.open ?? []) begun.set(key, id)
}

/** Ends an upload for good and takes it out of the queue. */
export async function cancelUpload(key: string): Promise<void> {
  const known = begun.get(key)
  const sending = sendings.get(key)
  removeItem(key)
  try {
    if (sending) await sending.cancel()
    else if (known !== undefined) await discardUpload(known)
  } catch {
    toast.error(text('videos:upload.notDiscarded'))
  }
  void invalidateFeatures(['videos'])
}

/** Takes a file out of the queue that is over. */
export function removeItem(key: string): void {
  queue.set(queue.get().filter((item) => item.key !== key))
  files.delete(key)
  sendings.delete(key)
  beginnings.delete(key)
  begun.delete(key)
  meant.delete(key)
  pump()
}

/** Takes all files out of the queue that are over. */
export function clearFinished(): void {
  queue.set(queue.get().filter(({ state }) => state !== 'done' && state !== 'failed'))
}

/** Has the server forget an upload of an earlier visit. */
export async function discardUpload(id: string): Promise<void> {
  const { discard } = await loadSender()
  await discard(id)
  void invalidateFeatures(['videos'])
}

// Leaving the page would stop what is under way.
const warn = (event: BeforeUnloadEvent) => event.preventDefault()
queue.subscribe(() => {
  removeEventListener('beforeunload', warn)
  if (queue.get().some(isUnderWay)) addEventListener('beforeunload', warn)
})

// What only wanted a network goes on by itself when there is one again.
addEventListener('online', () => {
  for (const { key, state, failure } of queue.get())
    if (state === 'failed' && failure?.code === UNREACHABLE.code) void resumeUpload(key)
})

sessionEnded.on(() => {
  for (const sending of sendings.values()) void sending.pause()
  sendings.clear()
  files.clear()
  beginnings.clear()
  begun.clear()
  meant.clear()
  queue.set([])
})
