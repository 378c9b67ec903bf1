import { z } from 'zod'
import { defineJob } from '../../kit/jobs.ts'

/** Removes bytes that a record deleted for good was the last to name. */
export const dropBytes = defineJob('files.drop', z.object({ sha256: z.string() }))
