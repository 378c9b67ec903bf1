import { IconCopy, IconRoute } from '@tabler/icons-react'
import { workflows } from '@weft/contract/workflows/api'
import type { WorkflowRow } from '@weft/contract/workflows/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction } from '../../kit/actions/common.ts'
import { can } from '../../lib/can.ts'
import { text } from '../../lib/i18n/texts.ts'

/** The page of a workflow. */
export function workflowPath(id: string): string {
  return `/cms/workflow/editor/${id}`
}

/** What can be done with a workflow. */
export const workflowActions: Action<WorkflowRow>[] = [
  { id: 'open', icon: IconRoute, can: false, to: ({ id }) => workflowPath(id) },
  {
    id: 'copy',
    icon: IconCopy,
    can: false,
    shown: () => can('CREATE', 'WORKFLOW'),
    run: async (row, { call, go }) => {
      const { draft, description, icon, projectId, tags, notes } = await call(workflows.get, { id: row.id })
      const name = text('workflows:copyName', { name: row.name }).slice(0, 120)
      const made = await call(workflows.create, { name, draft, description, icon, projectId, tags, notes })
      go(workflowPath(made.id))
    },
  },
  deleteAction(workflows),
]
