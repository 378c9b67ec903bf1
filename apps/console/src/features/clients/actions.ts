import {
  IconArrowBarToDown,
  IconCircleX,
  IconPlayerPause,
  IconPlayerPlay,
  IconServer,
} from '@tabler/icons-react'
import { clients } from '@weft/contract/clients/api'
import type { Client } from '@weft/contract/clients/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction } from '../../kit/actions/common.ts'
import { text } from '../../lib/i18n/texts.ts'
import { pausing } from './pause.tsx'

/** What can be done with a client. */
export const clientActions: Action<Client>[] = [
  { id: 'open', icon: IconServer, can: false, to: ({ id }) => clientPath(id) },
  {
    id: 'pause',
    icon: IconPlayerPause,
    shown: ({ admin }) => admin === 'enabled',
    done: null,
    run: (row) => {
      pausing.set(row)
      return Promise.resolve()
    },
  },
  {
    id: 'drain',
    icon: IconArrowBarToDown,
    shown: ({ admin }) => admin === 'enabled',
    run: ({ id }, { call }) => call(clients.drain, { id }),
  },
  {
    id: 'enable',
    icon: IconPlayerPlay,
    shown: ({ admin }) => admin !== 'enabled' && admin !== 'revoked',
    run: ({ id }, { call }) => call(clients.enable, { id }),
  },
  {
    id: 'revoke',
    icon: IconCircleX,
    shown: ({ admin }) => admin !== 'revoked',
    danger: true,
    confirmText: () => text('clients:revokeText'),
    run: ({ id }, { call }) => call(clients.revoke, { id }),
    invalidates: ['campaigns', 'runs'],
  },
  deleteAction(clients),
]

/** The page of a client. */
export function clientPath(id: string): string {
  return `/cms/resource/clients/${id}`
}
