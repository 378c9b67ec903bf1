import { store } from '../../../lib/emitter.ts'

/** Why a file did not become a video: a code of the server's or of the queue's, with its params. */
export interface UploadFailure {
  code: string
  params?: Record<string, string | number | boolean | null>
  /** English, from the server, for a code that the console has no words for. */
  message?: string
}

export type UploadState = 'waiting' | 'sending' | 'stalled' | 'paused' | 'checking' | 'done' | 'failed'

/** One file in the queue. */
export interface UploadItem {
  key: string
  name: string
  size: number
  state: UploadState
  sent: number
  bytesPerSecond: number | null
  videoId: string | null
  failure: UploadFailure | null
  /** Another video of the person's with the same bytes. */
  sameAs: { id: string; title: string } | null
}

/** The files that this window uploads, in the order in which they were chosen. */
export const queue = store<readonly UploadItem[]>([])

/** States in which an upload needs the window to stay. */
const UNDER_WAY: readonly UploadState[] = ['waiting', 'sending', 'stalled', 'checking']
/** States in which an upload takes a place among those that send at once. */
const SENDING: readonly UploadState[] = ['sending', 'stalled']
/** So many files are sent at once; more share the same line and finish no sooner. */
const AT_ONCE = 2

/** Puts files into the queue; one that is in it already and failed or was paused waits anew. */
export function enqueue(
  items: readonly UploadItem[],
  files: readonly { key: string; name: string; size: number; failure?: UploadFailure }[],
): readonly UploadItem[] {
  let next = items
  for (const { failure = null, ...file } of files) {
    const item: UploadItem = {
      ...file,
      state: failure ? 'failed' : 'waiting',
      sent: 0,
      bytesPerSecond: null,
      videoId: null,
      failure,
      sameAs: null,
    }
    const known = next.find(({ key }) => key === file.key)
    if (!known) next = [...next, item]
    else if (!isUnderWay(known)) next = next.map((one) => (one === known ? item : one))
  }
  return next
}

/** Changes one file of the queue. */
export function change(key: string, changes: Partial<UploadItem>): void {
  queue.set(queue.get().map((item) => (item.key === key ? { ...item, ...changes } : item)))
}

export const isUnderWay = ({ state }: UploadItem) => UNDER_WAY.includes(state)

/** The files whose turn it is now. */
export function nextToSend(items: readonly UploadItem[]): readonly UploadItem[] {
  const free = AT_ONCE - items.filter(({ state }) => SENDING.includes(state)).length
  return items.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))
}

/** The whole queue in figures: how far it is, how fast, and how many are left. */
export function totalOf(items: readonly UploadItem[]) {
  const counted = items.filter(({ state }) => state !== 'failed')
  const left = counted.filter(isUnderWay).length
  const sent = counted.reduce((sum, item) => sum + (item.state === 'done' ? item.size : item.sent), 0)
  const size = counted.reduce((sum, item) => sum + item.size, 0)
  const bytesPerSecond = counted.reduce((sum, item) => sum + (item.bytesPerSecond ?? 0), 0)
  return { left, sent, size, bytesPerSecond }
}
