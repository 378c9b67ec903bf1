import type { Selection } from '@weft/contract/core/record'
import {
  IconArchive,
  IconCalendarOff,
  IconChartBar,
  IconCopy,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlayerTrackNext,
  IconTrash,
} from '@tabler/icons-react'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign } from '@weft/contract/campaigns/schema'
import { campaignMachine, type CampaignEvent } from '@weft/contract/campaigns/states'
import { next } from '@weft/contract/core/machine'
import type { Action } from '../../kit/actions/action.ts'
import { text } from '../../lib/i18n/texts.ts'
import { campaignPath, editorPath } from './paths.ts'

/** Comes when it is wanted: few do one thing with many campaigns. */
const eachOf = async (selection: Selection, run: (id: string) => Promise<unknown>) => {
  const { oneByOne } = await import('../../kit/actions/one-by-one.ts')
  return oneByOne(campaigns.list, selection, run)
}

/** Shown where the state allows the event; what the state rules out would only be noise. */
const where =
  (event: CampaignEvent) =>
  ({ state }: Campaign) =>
    next(campaignMachine, state, event) !== undefined

const change = (
  id: 'start' | 'unschedule' | 'pause' | 'resume' | 'cancel' | 'archive',
  icon: Action<Campaign>['icon'],
  event: CampaignEvent,
): Action<Campaign> => ({
  id,
  icon,
  shown: where(event),
  run: (row, { call }) => call(campaigns[id], { id: row.id }),
  bulk: (selection, context) => eachOf(selection, (one) => context.call(campaigns[id], { id: one })),
  invalidates: ['runs', 'reports'],
})

/** What can be done with a campaign. */
export const campaignActions: readonly Action<Campaign>[] = [
  { id: 'open', icon: IconChartBar, can: false, to: ({ id }) => campaignPath(id) },
  { id: 'edit', icon: IconPencil, can: 'update', to: ({ id }) => editorPath(id) },
  change('start', IconPlayerPlay, 'schedule'),
  change('unschedule', IconCalendarOff, 'unschedule'),
  change('pause', IconPlayerPause, 'pause'),
  change('resume', IconPlayerTrackNext, 'resume'),
  {
    id: 'copy',
    icon: IconCopy,
    run: async ({ id }, { call, go }) => {
      const made = await call(campaigns.copy, { id })
      go(editorPath(made.id))
    },
  },
  {
    ...change('cancel', IconPlayerStop, 'cancel'),
    danger: true,
    confirmText: () => text('campaigns:cancelText'),
  },
  change('archive', IconArchive, 'archive'),
  {
    id: 'delete',
    icon: IconTrash,
    danger: true,
    // What runs is cancelled first; a line that can only say no would hide that.
    shown: ({ can }) => can.includes('delete'),
    confirmText: () => text('campaigns:deleteText'),
    run: ({ id }, { call }) => call(campaigns.remove, { id }),
    undo: ({ id }, { call }) => call(campaigns.restore, { id }),
    bulk: (selection, context) => eachOf(selection, (id) => context.call(campaigns.remove, { id })),
    done: (name) => text('kit:toasts.deleted', { name }),
    invalidates: ['reports'],
  },
]

/** The one or two actions that matter most in a state, as buttons of the campaign's page. */
export function primaryActions({ state }: Campaign): readonly string[] {
  if (state === 'draft') return ['start', 'edit']
  if (state === 'scheduled') return ['unschedule', 'cancel']
  if (state === 'running' || state === 'completing') return ['pause', 'cancel']
  if (state === 'pausing' || state === 'paused') return ['resume', 'cancel']
  return ['copy', 'archive']
}
