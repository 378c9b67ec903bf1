import { IconActivityHeartbeat, IconPlayerPlay, IconPlugConnectedX } from '@tabler/icons-react'
import { leases } from '@weft/contract/leases/api'
import { proxies } from '@weft/contract/proxies/api'
import type { Proxy } from '@weft/contract/proxies/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction, editAction, releaseAction } from '../../kit/actions/common.ts'

/** What can be done with a proxy. A check shows what it found in the list itself. */
export const proxyActions: Action<Proxy>[] = [
  {
    id: 'check',
    icon: IconActivityHeartbeat,
    done: null,
    run: (row, { call }) => call(proxies.check, { selection: { ids: [row.id] } }),
    bulk: async (selection, { call }) => void (await call(proxies.check, { selection })),
  },
  editAction({ to: ({ id }: Proxy) => id }),
  {
    id: 'disable',
    can: 'update',
    icon: IconPlugConnectedX,
    shown: ({ status }) => status !== 'disabled',
    run: ({ id, version }, { call }) => call(proxies.update, { id, version, disabled: true }),
  },
  {
    id: 'enable',
    can: 'update',
    icon: IconPlayerPlay,
    shown: ({ status }) => status === 'disabled',
    run: ({ id, version }, { call }) => call(proxies.update, { id, version, disabled: false }),
  },
  releaseAction(leases.releaseProxy, 'proxyId'),
  deleteAction(proxies),
]
