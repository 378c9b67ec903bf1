import { z } from 'zod'
import { defineJob } from '../../../kit/jobs.ts'

/** Looks at a video whose bytes are all there. Made again after a server that was killed over it, it goes on. */
export const processVideo = defineJob('videos.process', z.object({ id: z.uuid() }), {
  policy: 'short',
  retryLimit: 5,
  expireSeconds: 3600,
})

/** Ends what nobody went on with, and clears what ended long ago. */
export const sweepUploads = defineJob('videos.sweep', z.object({}))
