import { files } from '@weft/contract/files/api'
import type { Feature } from '../../kit/feature.ts'
import { fileStoreOf } from '../../kit/file-store.ts'
import { implement } from '../../kit/implement.ts'
import { defineJob } from '../../kit/jobs.ts'
import { z } from 'zod'
import { clearGiven, clearUnused, dropUnused } from './clear.ts'
import { fileHandlers } from './handlers.ts'
import { dropBytes } from './jobs.ts'

const clearFiles = defineJob('files.clear', z.object({}))

/** Stored files: uploads of people, and what runs left behind. */
export const filesFeature: Feature = {
  name: 'files',
  mount(app) {
    const { deps } = app
    implement(app, files, fileHandlers(deps))
    deps.jobs.work(clearFiles, async () => {
      await clearGiven(deps.db)
      await clearUnused(deps.db, fileStoreOf(deps))
    })
    deps.jobs.work(dropBytes, ({ payload }) => dropUnused(deps.db, fileStoreOf(deps), payload.sha256))
    deps.jobs.schedule(clearFiles, '41 3 * * *', {})
  },
}
