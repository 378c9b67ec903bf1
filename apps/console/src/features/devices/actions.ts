import { IconCopy } from '@tabler/icons-react'
import { devices } from '@weft/contract/devices/api'
import type { Device } from '@weft/contract/devices/schema'
import type { Action } from '../../kit/actions/action.ts'
import { deleteAction, editAction } from '../../kit/actions/common.ts'

/** What can be done with a device. */
export const deviceActions: Action<Device>[] = [
  editAction({ to: ({ id }: Device) => id }),
  { id: 'copy', icon: IconCopy, can: false, to: ({ id }) => `copy/${id}` },
  deleteAction(devices),
]
