import type { Machine } from '../core/machine.ts'

export const CAMPAIGN_STATES = [
  'draft',
  'scheduled',
  'running',
  'pausing',
  'paused',
  'completing',
  'finished',
  'finished_with_errors',
  'cancelling',
  'cancelled',
  'archived',
] as const
export type CampaignState = (typeof CAMPAIGN_STATES)[number]

export type CampaignEvent =
  | 'schedule'
  | 'unschedule'
  | 'begin'
  | 'pause'
  | 'settlePause'
  | 'resume'
  | 'exhaust'
  | 'finish'
  | 'finishWithErrors'
  | 'reopen'
  | 'cancel'
  | 'settleCancel'
  | 'archive'

/**
 * A start is `schedule` (at once or at a time) and then `begin`, when the planner has written the items. `exhaust` means
 * that no item is left to begin; `reopen` that a person had a settled item tried again.
 */
export const campaignMachine: Machine<CampaignState, CampaignEvent> = {
  initial: 'draft',
  states: {
    draft: { schedule: 'scheduled', archive: 'archived' },
    scheduled: { begin: 'running', unschedule: 'draft', cancel: 'cancelling' },
    running: { pause: 'pausing', exhaust: 'completing', cancel: 'cancelling' },
    pausing: { settlePause: 'paused', resume: 'running', cancel: 'cancelling' },
    paused: { resume: 'running', cancel: 'cancelling' },
    completing: {
      finish: 'finished',
      finishWithErrors: 'finished_with_errors',
      reopen: 'running',
      pause: 'pausing',
      cancel: 'cancelling',
    },
    finished: { reopen: 'running', archive: 'archived' },
    finished_with_errors: { reopen: 'running', archive: 'archived' },
    cancelling: { settleCancel: 'cancelled' },
    cancelled: { archive: 'archived' },
    archived: {},
  },
}

export const ITEM_STATES = [
  'planned',
  'ready',
  'leased',
  'running',
  'done',
  'failed',
  'uncertain',
  'skipped',
  'cancelled',
] as const
export type ItemState = (typeof ITEM_STATES)[number]

export type ItemEvent =
  | 'release'
  | 'lease'
  | 'giveBack'
  | 'start'
  | 'succeed'
  | 'tryAgain'
  | 'hold'
  | 'fail'
  | 'doubt'
  | 'skip'
  | 'cancel'
  | 'markDone'
  | 'retry'

/**
 * A row of the ledger. `giveBack` is an offer or claim that never began; `tryAgain` an attempt that failed while others
 * remain; `hold` one that left to wait, for a time or a person, and goes on later; `doubt` an attempt lost between announcing an irreversible step and confirming it. Only a person leads out of
 * uncertain, by `markDone`, `retry` or `skip`.
 */
export const itemMachine: Machine<ItemState, ItemEvent> = {
  initial: 'planned',
  states: {
    planned: { release: 'ready', skip: 'skipped', cancel: 'cancelled' },
    ready: { lease: 'leased', skip: 'skipped', cancel: 'cancelled', doubt: 'uncertain' },
    leased: { start: 'running', giveBack: 'ready', fail: 'failed', cancel: 'cancelled' },
    running: {
      succeed: 'done',
      tryAgain: 'ready',
      hold: 'ready',
      fail: 'failed',
      doubt: 'uncertain',
      cancel: 'cancelled',
    },
    done: {},
    failed: { retry: 'ready', skip: 'skipped', markDone: 'done' },
    uncertain: { markDone: 'done', retry: 'ready', skip: 'skipped' },
    skipped: { retry: 'ready' },
    cancelled: { retry: 'ready' },
  },
}

/** Items that wait for nobody: a campaign whose items are all settled is over. Uncertain ones wait for a person. */
export const SETTLED_ITEMS: readonly ItemState[] = ['done', 'failed', 'skipped', 'cancelled']
export const WAITING_ITEMS: readonly ItemState[] = ['planned', 'ready']
export const ACTIVE_ITEMS: readonly ItemState[] = ['leased', 'running']
/** Campaigns in which nothing begins any more, so that no item can be tried again. */
export const CLOSED_CAMPAIGNS: readonly CampaignState[] = ['cancelling', 'cancelled', 'archived']
