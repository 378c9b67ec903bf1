import { IconActivityHeartbeat } from '@tabler/icons-react'
import { proxies } from '@weft/contract/proxies/api'
import type { Proxy } from '@weft/contract/proxies/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction, editAction } from '../../kit/actions/common.ts'

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
  deleteAction(proxies),
]
