import { IconCopy } from '@tabler/icons-react'
import { leases } from '@weft/contract/leases/api'
import { profiles } from '@weft/contract/profiles/api'
import type { Profile } from '@weft/contract/profiles/schema'
import type { Action } from '../../kit/actions/action.ts'
import { openAction } from '../desk/open-action.ts'
import { deleteAction, editAction, releaseAction } from '../../kit/actions/common.ts'
import { can } from '../../lib/can.ts'
import { text } from '../../lib/i18n/texts.ts'

/** What can be done with a profile. */
export const profileActions: Action<Profile>[] = [
  editAction({ to: ({ id }: Profile) => id }),
  openAction<Profile>(({ id, name }) => ({ profileId: id, name })),
  {
    id: 'copy',
    icon: IconCopy,
    can: false,
    shown: () => can('CREATE', 'PROFILE'),
    // The settings only: what its sessions keep belongs to who was signed in with it.
    run: async (row, { call, go }) => {
      const { browserType, deviceId, locale, timeZone, proxyId, startUrls, tags, notes } = row
      const name = text('profiles:copyName', { name: row.name }).slice(0, 120)
      const settings = { browserType, deviceId, locale, timeZone, proxyId, startUrls, tags, notes }
      const made = await call(profiles.create, { name, ...settings })
      go(`/cms/resource/profiles/${made.id}`)
    },
  },
  releaseAction(leases.releaseProfile, 'profileId'),
  deleteAction(profiles),
]
