import { files } from '@weft/contract/files/api'
import type { Feature } from '../../kit/feature.ts'
import { fileStoreOf } from '../../kit/file-store.ts'
import { implement } from '../../kit/implement.ts'
import { defineJob } from '../../kit/jobs.ts'
import { z } from 'zod'
import { clearUnused } from './clear.ts'
import { fileHandlers } from './handlers.ts'

const clearFiles = defineJob('files.clear', z.object({}))

/** Stored files: uploads of people, and what runs left behind. */
export const filesFeature: Feature = {
  name: 'files',
  mount(app) {
    const { deps } = app
    implement(app, files, fileHandlers(deps))
    deps.jobs.work(clearFiles, () => clearUnused(deps.db, fileStoreOf(deps)))
    deps.jobs.schedule(clearFiles, '41 3 * * *', {})
  },
}
