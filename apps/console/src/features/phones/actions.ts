import { phones } from '@weft/contract/phones/api'
import type { Phone } from '@weft/contract/phones/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction, editAction } from '../../kit/actions/common.ts'

/** What can be done with a phone. */
export const phoneActions: Action<Phone>[] = [editAction({ to: ({ id }: Phone) => id }), deleteAction(phones)]
