import { leases } from '@weft/contract/leases/api'
import { profiles } from '@weft/contract/profiles/api'
import type { Profile } from '@weft/contract/profiles/schema'
import type { Action } from '../../kit/actions/action.ts'
import { openAction } from '../desk/open-action.ts'
import { deleteAction, editAction, releaseAction } from '../../kit/actions/common.ts'

/** What can be done with a profile. */
export const profileActions: Action<Profile>[] = [
  editAction({ to: ({ id }: Profile) => id }),
  openAction<Profile>(({ id, name }) => ({ profileId: id, name })),
  releaseAction(leases.releaseProfile, 'profileId'),
  deleteAction(profiles),
]
