import { videos } from '@weft/contract/videos/api'
import type { Feature } from '../../kit/feature.ts'
import { implementResource } from '../../kit/resource.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { videoResource } from './resource.ts'

/** Videos, with nothing beyond the general calls of a resource. */
export const videosFeature: Feature = {
  name: 'videos',
  mount: (app) => implementResource(app, videos, videoResource, {}),
  visible: { videos: seenBy(videoResource) },
}
