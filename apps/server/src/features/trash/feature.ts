import { z } from 'zod'
import { trash } from '@weft/contract/trash/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { defineJob } from '../../kit/jobs.ts'
import { emptyTrash } from './empty.ts'
import { countKinds, listTrash } from './listing.ts'

const clearTrash = defineJob('trash.clear', z.object({}))

/** The trash: what lies in it is listed, whatever its kind; after long enough it goes for good. */
export const trashFeature: Feature = {
  name: 'trash',
  mount(app) {
    const { deps } = app
    implement(app, trash, { list: listTrash, kinds: (ctx) => countKinds(ctx, {}) })
    deps.jobs.work(clearTrash, () => emptyTrash(deps))
    deps.jobs.schedule(clearTrash, '53 3 * * *', {})
  },
}
