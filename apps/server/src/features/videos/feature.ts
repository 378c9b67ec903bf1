import { mkdir } from 'node:fs/promises'
import { videos } from '@weft/contract/videos/api'
import type { Feature } from '../../kit/feature.ts'
import { implementResource } from '../../kit/resource.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { videoHandlers } from './handlers.ts'
import { videoResource } from './resource.ts'
import { processVideo, sweepUploads } from './uploads/jobs.ts'
import { processUpload } from './uploads/process.ts'
import { uploadsFolder } from './uploads/rows.ts'
import { goOn, sweep } from './uploads/sweep.ts'
import { mountUploads } from './uploads/tus.ts'

/** Videos: how their bytes come, what is read from them, and how they are played. */
export const videosFeature: Feature = {
  name: 'videos',
  mount(app) {
    const { deps } = app
    implementResource(app, videos, videoResource, videoHandlers(deps))
    mountUploads(app)
    deps.jobs.work(processVideo, ({ payload }) => processUpload(deps, payload.id))
    deps.jobs.work(sweepUploads, () => sweep(deps))
    deps.jobs.schedule(sweepUploads, '17 * * * *', {})
  },
  visible: { videos: seenBy(videoResource) },
  async start(deps) {
    await mkdir(uploadsFolder(deps), { recursive: true, mode: 0o700 })
    if (deps.settings.roles.has('worker')) await goOn(deps)
    return async () => {}
  },
}
