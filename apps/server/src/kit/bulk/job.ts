import { z } from 'zod'
import { defineJob } from '../jobs.ts'

/** Does what a large bulk asks for, for some seconds; then it enqueues itself again, so that a killed one is soon missed. */
export const applyBulk = defineJob('bulks.apply', z.object({ bulkId: z.uuid() }), {
  retryLimit: 20,
  retryDelaySeconds: 2,
  expireSeconds: 60,
})
