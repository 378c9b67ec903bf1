import { IconCopy, IconTrash } from '@tabler/icons-react'
import { devices } from '@weft/contract/devices/api'
import type { Device } from '@weft/contract/devices/schema'
import type { Action } from '../../kit/actions/action.ts'
import { editAction } from '../../kit/actions/common.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { toast } from '../../kit/toast/toast.ts'
import { isolate } from '../../lib/i18n/isolate.ts'
import { actionLabel } from '../../lib/i18n/names.ts'
import { text } from '../../lib/i18n/texts.ts'

/** So many of what uses a device are named. */
const NAMED = 5

/** What can be done with a device. What profiles use is not deleted; it is said who they are. */
export const deviceActions: Action<Device>[] = [
  editAction({ to: ({ id }: Device) => id }),
  { id: 'copy', icon: IconCopy, can: false, to: ({ id }) => `new?from=${id}` },
  {
    id: 'delete',
    icon: IconTrash,
    danger: true,
    asksItself: true,
    done: null,
    run: async (device, { call }) => {
      const uses = await call(devices.whereUsed, { id: device.id })
      if (uses.length > 0) {
        const names = uses.slice(0, NAMED).map(({ name }) => isolate(name))
        if (uses.length > NAMED) names.push('…')
        toast.warning(text('devices:usedBy', { name: isolate(device.name), profiles: names.join(', ') }))
        return
      }
      const label = actionLabel('devices', 'delete')
      if (!(await confirm({ action: label, name: device.name, confirmLabel: label }))) return
      await call(devices.remove, { id: device.id })
      toast.success(text('kit:toasts.deleted', { name: device.name }))
    },
  },
]
