import { workflowComments } from '@weft/contract/workflow-comments/api'
import { workflows } from '@weft/contract/workflows/api'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { seenBy } from '../../kit/resource/visible.ts'
import { commentHandlers } from './comments/handlers.ts'
import { workflowHandlers } from './handlers.ts'
import { workflowSource } from './record.ts'

/** Workflows: drafts that are edited, releases that are run. */
export const workflowsFeature: Feature = {
  name: 'workflows',
  mount(app) {
    implement(app, workflows, workflowHandlers)
    implement(app, workflowComments, commentHandlers)
  },
  // Whoever sees a workflow sees what is said about it; that something was said is told of the workflow.
  visible: { workflows: seenBy(workflowSource), workflowComments: seenBy(workflowSource) },
}
