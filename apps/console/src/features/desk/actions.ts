import { IconEye } from '@tabler/icons-react'
import type { WaitingAccount } from '@weft/contract/attended-runs/schema'
import type { Action } from '../../kit/actions/action.ts'
import { openAction } from './open-action.ts'
import { viewerPath } from './paths.ts'

/** What can be done with an account that waits. */
export const deskActions: Action<WaitingAccount>[] = [
  {
    ...openAction<WaitingAccount>(({ id, username }) => ({ accountId: id, name: username })),
    shown: ({ attended }) => attended === null,
  },
  {
    id: 'showBrowser',
    icon: IconEye,
    shown: ({ attended }) => attended !== null,
    to: ({ attended }) => viewerPath(attended?.id ?? ''),
  },
]
