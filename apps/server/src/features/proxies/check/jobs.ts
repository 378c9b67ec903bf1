import { z } from 'zod'
import { defineJob } from '../../../kit/jobs.ts'

/** Checks what stands in line, for some seconds; then it enqueues itself again, so that a killed one is soon missed. */
export const checkProxies = defineJob('proxies.check', z.object({}), {
  policy: 'short',
  retryLimit: 5,
  retryDelaySeconds: 2,
  expireSeconds: 90,
})

/** Puts into the line what is due by schedule, and warns of proxies that end soon. */
export const lookAtProxies = defineJob('proxies.look', z.object({}), { policy: 'short', retryLimit: 0 })
