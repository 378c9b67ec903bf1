import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'

/** How a notification looks: what it says about what happened. */
export const NOTIFICATION_TONES = ['info', 'success', 'warning', 'error'] as const
export type NotificationTone = (typeof NOTIFICATION_TONES)[number]

/** A kind of notification. What concerns somebody's own safety can be muted by nobody. */
interface Kind {
  readonly tone: NotificationTone
  readonly mutable: boolean
}

/** Every kind of notification that there is. The console says each in the reader's language. */
export const NOTIFICATION_KINDS = {
  'campaign.finished': { tone: 'success', mutable: true },
  'campaign.finishedWithErrors': { tone: 'warning', mutable: true },
  'campaign.stoppedByErrors': { tone: 'error', mutable: true },
  'campaign.stalled': { tone: 'warning', mutable: true },
  'item.uncertain': { tone: 'warning', mutable: true },
  'question.asked': { tone: 'info', mutable: true },
  'account.paused': { tone: 'warning', mutable: true },
  'account.needsSignIn': { tone: 'warning', mutable: true },
  'client.lost': { tone: 'error', mutable: true },
  'client.back': { tone: 'success', mutable: true },
  'proxy.quarantined': { tone: 'warning', mutable: true },
  'proxy.recovered': { tone: 'success', mutable: true },
  'proxy.expiring': { tone: 'warning', mutable: true },
  'import.finished': { tone: 'success', mutable: true },
  'bulk.finished': { tone: 'success', mutable: true },
  'bulk.failed': { tone: 'error', mutable: true },
  'workflow.mentioned': { tone: 'info', mutable: true },
  'workflow.replied': { tone: 'info', mutable: true },
  'access.requested': { tone: 'info', mutable: true },
  'maintenance.announced': { tone: 'warning', mutable: true },
  'role.changed': { tone: 'info', mutable: false },
  'role.rulesChanged': { tone: 'info', mutable: false },
  'twoSteps.reset': { tone: 'warning', mutable: false },
  'password.linkHandedOut': { tone: 'warning', mutable: false },
  'signIn.newDevice': { tone: 'warning', mutable: false },
  'viewing.started': { tone: 'warning', mutable: false },
} as const satisfies Record<string, Kind>

export type NotificationKind = keyof typeof NOTIFICATION_KINDS

/** The names of all kinds. */
export const NOTIFICATION_KIND_NAMES = [
  'campaign.finished',
  'campaign.finishedWithErrors',
  'campaign.stoppedByErrors',
  'campaign.stalled',
  'item.uncertain',
  'question.asked',
  'account.paused',
  'account.needsSignIn',
  'client.lost',
  'client.back',
  'proxy.quarantined',
  'proxy.recovered',
  'proxy.expiring',
  'import.finished',
  'bulk.finished',
  'bulk.failed',
  'workflow.mentioned',
  'workflow.replied',
  'access.requested',
  'maintenance.announced',
  'role.changed',
  'role.rulesChanged',
  'twoSteps.reset',
  'password.linkHandedOut',
  'signIn.newDevice',
  'viewing.started',
] as const satisfies readonly NotificationKind[]

/** What each kind tells beside its name; the words are the console's. */
export interface NotificationParams {
  'campaign.finished': { campaign: string; done: number }
  'campaign.finishedWithErrors': { campaign: string; done: number; failed: number }
  'campaign.stoppedByErrors': { campaign: string; failed: number }
  'campaign.stalled': { campaign: string; minutes: number }
  'item.uncertain': { campaign: string }
  'question.asked': { question: string; campaign: string }
  /** It failed so often in a row, each time with this `error`. */
  'account.paused': { account: string; failures: number; error: string }
  'account.needsSignIn': { account: string }
  'client.lost': { client: string }
  'client.back': { client: string }
  /** `proxy`: the last of so many `proxies`. */
  'proxy.quarantined': { proxy: string; proxies: number }
  'proxy.recovered': { proxy: string; proxies: number }
  'proxy.expiring': { proxy: string; proxies: number; days: number }
  'import.finished': { records: string; created: number; updated: number; skipped: number; refused: number }
  'bulk.finished': { records: string; done: number; refused: number }
  /** `left`: records that it did not come to. */
  'bulk.failed': { records: string; done: number; left: number }
  /** `thread`: the comment that began it. */
  'workflow.mentioned': { by: string; workflow: string; thread: string }
  'workflow.replied': { by: string; workflow: string; thread: string }
  'access.requested': { person: string; action: string; subject: string; note: string }
  /** `at`: when it begins. */
  'maintenance.announced': { at: string }
  'role.changed': { by: string; roles: string }
  'role.rulesChanged': { by: string; role: string }
  'twoSteps.reset': { by: string }
  'password.linkHandedOut': { by: string }
  'signIn.newDevice': { device: string; address: string }
  'viewing.started': { by: string; reason: string }
}

/** Records that a notification can lead to. */
export const NOTIFICATION_LINKS = [
  'campaigns',
  'questions',
  'accounts',
  'clients',
  'proxies',
  'imports',
  'bulks',
  'workflows',
  'users',
  'sessions',
] as const
export type NotificationLink = (typeof NOTIFICATION_LINKS)[number]

/** One notification. Unread ones of the same kind about the same record are one, with a count. */
export const notificationSchema = z.object({
  id,
  kind: z.enum(NOTIFICATION_KIND_NAMES),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  feature: z.enum(NOTIFICATION_LINKS).nullable(),
  recordId: z.string().nullable(),
  count: z.number().int(),
  at: timestamp,
  readAt: timestamp.nullable(),
})
export type Notification = z.infer<typeof notificationSchema>
