import { workflows } from '@weft/contract/workflows/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { workflowHandlers } from './handlers.ts'
import { workflowSource } from './record.ts'

/** Workflows: drafts that are edited, releases that are run. */
export const workflowsFeature: Feature = {
  name: 'workflows',
  mount: (app) => implement(app, workflows, workflowHandlers),
  visible: { workflows: seenBy(workflowSource) },
}
