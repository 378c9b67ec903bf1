import { z } from 'zod'
import type { Feature } from '../../kit/feature.ts'
import { defineJob } from '../../kit/jobs.ts'
import { emptyTrash } from './empty.ts'

const clearTrash = defineJob('trash.clear', z.object({}))

/** The trash: what lies in it long enough goes for good. */
export const trashFeature: Feature = {
  name: 'trash',
  mount({ deps }) {
    deps.jobs.work(clearTrash, () => emptyTrash(deps))
    deps.jobs.schedule(clearTrash, '53 3 * * *', {})
  },
}
