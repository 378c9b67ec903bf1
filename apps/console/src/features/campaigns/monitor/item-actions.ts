import {
  IconCheck,
  IconInfoCircle,
  IconPlayerSkipForward,
  IconPlayerStop,
  IconRefresh,
  IconTimeline,
} from '@tabler/icons-react'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Item } from '@weft/contract/campaigns/schema'
import type { Action } from '../../../kit/actions/action.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { runPath } from '../../runs/paths.ts'
import { itemPath } from '../paths.ts'
import { deciding, type Decision } from './decision.ts'

const decide = (id: Decision, icon: Action<Item>['icon']): Action<Item> => ({
  id,
  icon,
  shown: ({ can }) => can.includes(id),
  // The dialog says what follows, and takes a note.
  run: (item) => {
    deciding.set({ item, decision: id })
    return Promise.resolve()
  },
  done: null,
})

/** What can be done with an item. */
export const itemActions: readonly Action<Item>[] = [
  {
    id: 'openRun',
    icon: IconTimeline,
    can: false,
    shown: ({ runId }) => runId !== null,
    to: ({ runId, campaignId, id }) => (runId ? runPath(runId) : itemPath(campaignId, id)),
  },
  { id: 'details', icon: IconInfoCircle, can: false, to: ({ campaignId, id }) => itemPath(campaignId, id) },
  decide('retry', IconRefresh),
  decide('done', IconCheck),
  decide('skip', IconPlayerSkipForward),
  {
    id: 'cancelItem',
    can: 'cancel',
    icon: IconPlayerStop,
    danger: true,
    shown: ({ can }) => can.includes('cancel'),
    confirmText: () => text('campaigns:cancelItemText'),
    run: ({ id }, { call }) => call(campaigns.cancelItem, { id }),
    invalidates: ['runs', 'reports'],
  },
]
