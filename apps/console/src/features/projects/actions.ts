import {
  IconFileExport,
  IconPlayerPlay,
  IconSnowflake,
  IconArchive,
  IconFolderOpen,
} from '@tabler/icons-react'
import { projects } from '@weft/contract/projects/api'
import { projectTransfer } from '@weft/contract/projects/transfer-api'
import type { ProjectRow as Project } from '@weft/contract/projects/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction } from '../../kit/actions/common.ts'
import { saveResponse } from '../../lib/download.ts'

const setStatus =
  (status: Project['status']): NonNullable<Action<Project>['run']> =>
  (row, { call }) =>
    call(projects.update, { id: row.id, version: row.version, status })

/** What can be done with a project. */
export const projectActions: Action<Project>[] = [
  { id: 'open', icon: IconFolderOpen, can: false, to: ({ id }) => projectPath(id) },
  {
    id: 'activate',
    icon: IconPlayerPlay,
    can: 'update',
    shown: ({ status }) => status !== 'active',
    run: setStatus('active'),
  },
  {
    id: 'freeze',
    icon: IconSnowflake,
    can: 'update',
    shown: ({ status }) => status === 'active',
    run: setStatus('frozen'),
  },
  {
    id: 'archive',
    icon: IconArchive,
    can: 'update',
    shown: ({ status }) => status !== 'archived',
    run: setStatus('archived'),
  },
  {
    id: 'exportProject',
    icon: IconFileExport,
    can: 'export',
    done: null,
    run: async ({ id, name }, { call }) =>
      saveResponse(await call(projectTransfer.export, { id }), `${name}.weft.json`),
  },
  deleteAction(projects),
]

/** The page of a project. */
export function projectPath(id: string): string {
  return `/cms/project/detail/${id}`
}
