import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Deps } from '../../kit/deps.ts'
import { importBatch } from '../../kit/import/table.ts'
import { defineJob } from '../../kit/jobs.ts'

/** Makes records of checked rows, for some seconds; then it enqueues itself again, so that a killed one is soon missed. */
export const applyImport = defineJob('imports.apply', z.object({ importId: z.uuid() }), {
  retryLimit: 20,
  retryDelaySeconds: 2,
  expireSeconds: 60,
})

/** Clears away imports of long ago. */
export const clearImports = defineJob('imports.clear', z.object({}))

/** Takes up the imports that were under way when the program ended; one that goes on elsewhere is not disturbed. */
export async function resumeImports({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  await db.transaction(async (tx) => {
    const open = await tx
      .select({ id: importBatch.id })
      .from(importBatch)
      .where(eq(importBatch.state, 'running'))
    for (const { id } of open) await jobs.enqueue(tx, applyImport, { importId: id })
  })
}
