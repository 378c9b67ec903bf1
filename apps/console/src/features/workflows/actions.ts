import { IconCopy, IconFileExport, IconFolder, IconFolderSymlink, IconRoute } from '@tabler/icons-react'
import { workflows } from '@weft/contract/workflows/api'
import type { WorkflowRow } from '@weft/contract/workflows/schema'
import { GAVE_UP, type Action } from '../../kit/actions/action.ts'
import { deleteAction } from '../../kit/actions/common.ts'
import { idsOf, oneByOne } from '../../kit/actions/one-by-one.ts'
import { toast } from '../../kit/toast/toast.ts'
import { can } from '../../lib/can.ts'
import { saveResponse } from '../../lib/download.ts'
import { text } from '../../lib/i18n/texts.ts'
import type { ToProject } from './to-project.tsx'

/** The page of a workflow. */
export function workflowPath(id: string): string {
  return `/cms/workflow/editor/${id}`
}

/** Asks for a folder; null where the person gives up. */
async function askFolder(now: string): Promise<string | null> {
  const { askForFolder } = await import('./ask-folder.tsx')
  return askForFolder(now)
}

/** Copying needs no more than that; whether one may be moved away, the server says. */
function mayTakeElsewhere(): boolean {
  return can('CREATE', 'WORKFLOW') && can('VIEW', 'PROJECT')
}

/** Moves or copies workflows into a project that is asked for; null where the person gives up. */
async function takeElsewhere(name: string, workflowIds: readonly string[]): Promise<ToProject | null> {
  const { takeToProject } = await import('./to-project.tsx')
  return takeToProject(name, workflowIds)
}

/** What can be done with a workflow. */
export const workflowActions: Action<WorkflowRow>[] = [
  { id: 'open', icon: IconRoute, can: false, to: ({ id }) => workflowPath(id) },
  {
    id: 'copy',
    icon: IconCopy,
    can: false,
    shown: () => can('CREATE', 'WORKFLOW'),
    // The copy opens and says what it is.
    done: null,
    run: async (row, { call, go }) => {
      const { draft, description, icon, projectId, folder, tags, notes } = await call(workflows.get, {
        id: row.id,
      })
      const name = text('workflows:copyName', { name: row.name }).slice(0, 120)
      const kept = { description, icon, projectId, folder, tags, notes }
      const made = await call(workflows.create, { name, draft, copyOf: row.id, ...kept })
      go(workflowPath(made.id))
    },
  },
  {
    id: 'moveTo',
    icon: IconFolder,
    can: 'update',
    run: async (row, { call }) => {
      const folder = await askFolder(row.folder)
      if (folder === null) return GAVE_UP
      return call(workflows.update, { id: row.id, version: row.version, folder })
    },
    bulk: async (selection, { call }) => {
      const folder = await askFolder('')
      if (folder === null) return GAVE_UP
      return oneByOne(workflows.list, selection, async (id) => {
        const { version } = await call(workflows.get, { id })
        return call(workflows.update, { id, version, folder })
      })
    },
  },
  {
    id: 'toProject',
    icon: IconFolderSymlink,
    can: false,
    shown: mayTakeElsewhere,
    bulkShown: mayTakeElsewhere,
    done: null,
    invalidates: ['projects'],
    run: async (row) => {
      const chosen = await takeElsewhere(row.name, [row.id])
      if (!chosen) return GAVE_UP
      const how = chosen.copy ? 'copied' : 'moved'
      toast.success(text(`workflows:toProject.${how}`, { name: row.name, project: chosen.name }))
      return chosen
    },
    bulk: async (selection) => {
      const ids = 'ids' in selection ? selection.ids : await idsOf(workflows.list, selection.query)
      const many = text('kit:confirm.many', { count: ids.length })
      if (!(await takeElsewhere(many, ids))) return GAVE_UP
      return { done: ids.length, refused: [] }
    },
  },
  {
    id: 'exportWorkflow',
    icon: IconFileExport,
    can: 'export',
    changesNothing: true,
    done: null,
    run: async ({ id, name }, { call }) =>
      saveResponse(await call(workflows.export, { id }), `${name}.weft.json`),
  },
  {
    ...deleteAction<WorkflowRow>(workflows),
    bulk: (selection, { call }) =>
      oneByOne(workflows.list, selection, (id) => call(workflows.remove, { id })),
  },
]
