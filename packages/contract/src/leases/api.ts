import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id } from '../core/record.ts'
import { RESOURCES_PREFIX } from '../core/resource.ts'

const at = (path: string) => `${RESOURCES_PREFIX}/${path}/release`
const runId = id
const summary = (noun: string) =>
  `End the run that holds the ${noun}, where it hangs, so that others may have it; what that run tells later is kept as evidence only`

/** Taking a resource from the run that holds it. `runId` is the holder that was seen: another one is left alone. */
export const leases = defineApi('leases', {
  releaseAccount: {
    method: 'POST',
    path: at('account'),
    access: { action: 'RUN', subject: 'ACCOUNT' },
    summary: summary('account'),
    input: z.strictObject({ accountId: id, runId }),
    audit: 'lease.release',
  },
  releaseProfile: {
    method: 'POST',
    path: at('profile'),
    access: { action: 'RUN', subject: 'PROFILE' },
    summary: summary('profile'),
    input: z.strictObject({ profileId: id, runId }),
    audit: 'lease.release',
  },
  releasePhone: {
    method: 'POST',
    path: at('phone'),
    access: { action: 'RUN', subject: 'PHONE' },
    summary: summary('phone'),
    input: z.strictObject({ phoneId: id, runId }),
    audit: 'lease.release',
  },
  releaseProxy: {
    method: 'POST',
    path: at('proxy'),
    access: { action: 'RUN', subject: 'PROXY' },
    summary: summary('proxy'),
    input: z.strictObject({ proxyId: id, runId }),
    audit: 'lease.release',
  },
  releaseVideo: {
    method: 'POST',
    path: at('video'),
    access: { action: 'RUN', subject: 'VIDEO' },
    summary: summary('video'),
    input: z.strictObject({ videoId: id, runId }),
    audit: 'lease.release',
  },
})
