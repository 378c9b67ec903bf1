import { leases } from '@weft/contract/leases/api'
import { phones } from '@weft/contract/phones/api'
import type { Phone } from '@weft/contract/phones/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction, editAction, releaseAction } from '../../kit/actions/common.ts'

/** What can be done with a phone. */
export const phoneActions: Action<Phone>[] = [
  editAction({ to: ({ id }: Phone) => id }),
  releaseAction(leases.releasePhone, 'phoneId'),
  deleteAction(phones),
]
