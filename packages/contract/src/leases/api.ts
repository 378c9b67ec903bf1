import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import type { Subject } from '../core/permissions.ts'
import { id } from '../core/record.ts'
import { RESOURCES_PREFIX } from '../core/resource.ts'

/** `runId` is the holder that was seen: another one is left alone. */
function release<const S extends Subject, K extends z.ZodRawShape>(noun: string, subject: S, key: K) {
  return {
    method: 'POST',
    path: `${RESOURCES_PREFIX}/${noun}/release`,
    access: { action: 'RUN', subject },
    summary: `End the run that holds the ${noun}, where it hangs, so that others may have it; what that run tells later is kept as evidence only`,
    input: z.strictObject({ ...key, runId: id }),
    audit: 'lease.release',
  } as const
}

/** Taking a resource from the run that holds it. */
export const leases = defineApi('leases', {
  releaseAccount: release('account', 'ACCOUNT', { accountId: id }),
  releaseProfile: release('profile', 'PROFILE', { profileId: id }),
  releasePhone: release('phone', 'PHONE', { phoneId: id }),
  releaseProxy: release('proxy', 'PROXY', { proxyId: id }),
  releaseVideo: release('video', 'VIDEO', { videoId: id }),
})
