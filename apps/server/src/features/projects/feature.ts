import type { z } from 'zod'
import { projects } from '@weft/contract/projects/api'
import { projectInsight } from '@weft/contract/projects/insight-api'
import { projectTransfer } from '@weft/contract/projects/transfer-api'
import type { projectSchema } from '@weft/contract/projects/schema'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { findRecord } from '../../kit/record.ts'
import { changeRecord, createRecord, removeRecord, restoreRecord } from '../../kit/resource/change.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { listSource, viewOf } from '../../kit/resource/view.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { memberHandlers } from './members.ts'
import { requireOpen } from './open.ts'
import { exportProject } from './export.ts'
import { importProject } from './import.ts'
import { insightHandlers } from './insight.ts'
import { takeHandlers } from './take.ts'
import { projectRecord } from './record.ts'
import { secretHandlers } from './secrets.ts'

/** Projects, which keep workflows and campaigns together. */
export const projectsFeature: Feature = {
  name: 'projects',
  mount(app) {
    const { secrets } = app.deps
    implement(app, projects, {
      list: (ctx, input) => {
        const source = listSource(ctx, projectRecord, input)
        return listOf(ctx.tx, input, {
          ...source,
          present: async (rows, tx) => (await source.present(rows, tx)).map(withoutValues),
        })
      },
      async get(ctx, { id }) {
        await findRecord(ctx, sourceOf(projectRecord), id)
        return viewOf(ctx, projectRecord, id)
      },
      create: (ctx, input) => createRecord(ctx, secrets, projectRecord, input),
      async update(ctx, { id, version, ...changes }) {
        const onlyStatus = Object.keys(changes).every((field) => field === 'status')
        if (!onlyStatus) requireOpen(await findRecord(ctx, sourceOf(projectRecord), id, 'UPDATE'))
        return changeRecord(ctx, secrets, projectRecord, { id, version }, changes)
      },
      remove: (ctx, { id }) => removeRecord(ctx, projectRecord, id),
      restore: async (ctx, { id }) => withoutValues(await restoreRecord(ctx, projectRecord, id)),
      ...secretHandlers(secrets),
      ...memberHandlers(app.deps),
    })
    implement(app, projectTransfer, {
      ...takeHandlers(),
      export: exportProject,
      import: (ctx, input) => importProject(ctx, secrets, input),
    })
    implement(app, projectInsight, insightHandlers())
  },
  visible: { projects: seenBy(projectRecord) },
}

/** Lists say what there is; the values come with one project. */
function withoutValues({
  variables: _variables,
  defaults: _defaults,
  ...row
}: z.input<typeof projectSchema>) {
  return row
}
