import { IconArchive, IconArchiveOff, IconVideo } from '@tabler/icons-react'
import { leases } from '@weft/contract/leases/api'
import { videos } from '@weft/contract/videos/api'
import type { Video } from '@weft/contract/videos/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction, releaseAction } from '../../kit/actions/common.ts'

/** What can be done with a video. */
export const videoActions: Action<Video>[] = [
  { id: 'open', icon: IconVideo, can: false, to: ({ id }) => videoPath(id) },
  {
    id: 'archive',
    icon: IconArchive,
    shown: ({ status }) => status === 'ready',
    run: ({ id }, { call }) => call(videos.archive, { id }),
  },
  {
    id: 'unarchive',
    icon: IconArchiveOff,
    shown: ({ status }) => status === 'archived',
    run: ({ id }, { call }) => call(videos.unarchive, { id }),
  },
  releaseAction(leases.releaseVideo, 'videoId'),
  deleteAction(videos),
]

/** The page of a video. */
export function videoPath(id: string): string {
  return `/cms/resource/videos/${id}`
}
