import { IconEye } from '@tabler/icons-react'
import { leases } from '@weft/contract/leases/api'
import { accounts } from '@weft/contract/accounts/api'
import type { Account } from '@weft/contract/accounts/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction, editAction, releaseAction } from '../../kit/actions/common.ts'
import { openAction } from '../desk/open-action.ts'
import { revealing } from './revealing.ts'

/** What can be done with an account. */
export const accountActions: Action<Account>[] = [
  editAction({ to: ({ id }: Account) => id }),
  {
    id: 'reveal',
    icon: IconEye,
    done: null,
    shown: ({ password, totpSeed, recoveryCodes }) => password.set || totpSeed.set || recoveryCodes.set,
    run: (row) => {
      revealing.set(row)
      return Promise.resolve()
    },
  },
  openAction<Account>(({ id, username }) => ({ accountId: id, name: username })),
  releaseAction(leases.releaseAccount, 'accountId'),
  deleteAction(accounts),
]
