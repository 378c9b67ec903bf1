import { imports } from '@weft/contract/imports/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { importBatch } from '../../kit/import/table.ts'
import { and, eq, inArray } from 'drizzle-orm'
import { importHandlers } from './handlers.ts'
import { applyImport, clearImports, resumeImports } from './jobs.ts'
import { runImport } from './run.ts'
import { clearOld } from './clear.ts'

/** What follows the upload of rows: applying them, the rejected ones, taking them back. */
export const importsFeature: Feature = {
  name: 'imports',
  mount(app) {
    const { deps } = app
    implement(app, imports, importHandlers(deps))
    deps.jobs.work(applyImport, (job) => runImport(deps, job.payload.importId, job.signal))
    deps.jobs.work(clearImports, () => clearOld(deps))
    deps.jobs.schedule(clearImports, '17 3 * * *', {})
  },
  visible: {
    imports: async ({ tx, user }, ids) => {
      const rows = await tx
        .select({ id: importBatch.id })
        .from(importBatch)
        .where(and(inArray(importBatch.id, [...ids]), eq(importBatch.ownerId, user.id)))
      return new Set(rows.map((row) => row.id))
    },
  },
  async start(deps) {
    await resumeImports(deps)
    return async () => {}
  },
}
