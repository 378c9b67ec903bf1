import type { Machine } from '../core/machine.ts'

export const VIDEO_STATUSES = ['uploading', 'processing', 'ready', 'failed', 'archived'] as const
export type VideoStatus = (typeof VIDEO_STATUSES)[number]

export type VideoEvent =
  | 'upload'
  | 'receive'
  | 'accept'
  | 'refuse'
  | 'abandon'
  | 'attach'
  | 'archive'
  | 'unarchive'

/**
 * A video waits for its bytes, is looked at once they are all there, and is ready or failed by what they are. `attach`
 * gives it a file that was stored before; `abandon` ends an upload that nobody went on with.
 */
export const videoMachine: Machine<VideoStatus, VideoEvent> = {
  initial: 'uploading',
  states: {
    uploading: { upload: 'uploading', receive: 'processing', abandon: 'failed', attach: 'ready' },
    processing: { accept: 'ready', refuse: 'failed' },
    ready: { attach: 'ready', archive: 'archived' },
    failed: { upload: 'uploading', attach: 'ready' },
    archived: { unarchive: 'ready' },
  },
}
