import { z } from 'zod'
import {
  HUB_METHODS,
  changeEventSchema,
  runLogMessageSchema,
  type ChangeEvent,
} from '@weft/contract/core/events'
import { presenceTold } from './presence.ts'
import { testRunTold } from './test-runs.ts'

/** What the hub's messages lead to. */
export interface HubEffects {
  /** Records of these features changed. */
  changed: (features: readonly string[]) => void
  configChanged: () => void
  rightsChanged: () => void
  preferencesChanged: () => void
  notify: (notice: Notice) => void
  /** Something new stands in the notification centre. */
  told: () => void
  runLog: (runId: string, campaignId: string | null, message: unknown) => void
  seen: (seq: number) => void
}

const noticeSchema = z.looseObject({
  type: z.enum(['info', 'success', 'warning', 'error', 'default']).catch('info'),
  message: z.string(),
})
/** A notice for the person. */
export type Notice = z.infer<typeof noticeSchema>

const envelopeSchema = z.object({ method: z.string(), message: z.unknown() })

/** Features whose answers also depend on another's records. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  campaigns: ['reports'],
  runs: ['reports', 'campaigns'],
  clients: ['reports'],
  workflows: ['projects', 'workflowTests'],
  system: ['routes', 'sso'],
  roles: ['functions', 'users'],
  imports: ['accounts', 'clients', 'profiles', 'phones', 'proxies', 'videos'],
}

/** The features whose reads a change makes old. */
export function affectedFeatures(feature: string): readonly string[] {
  return [feature, ...(ALSO[feature] ?? [])]
}

/** JSON may come as text or as the thing itself. */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** One change: what is read anew for it. */
export function applyChange(event: ChangeEvent, effects: HubEffects): void {
  effects.seen(event.seq)
  effects.changed(affectedFeatures(event.feature))
  if (event.feature === 'system') effects.configChanged()
  if (event.feature === 'users' || event.feature === 'roles') effects.rightsChanged()
  if (event.feature === 'preferences') effects.preferencesChanged()
}

/** What each method does; a method that is not known does nothing. */
const HANDLERS: Readonly<Record<string, (message: unknown, effects: HubEffects) => void>> = {
  [HUB_METHODS.recordChanged]: change,
  [HUB_METHODS.userChanged]: (_message, effects) => effects.rightsChanged(),
  [HUB_METHODS.clientChanged]: change,
  [HUB_METHODS.workflowChanged]: change,
  [HUB_METHODS.systemConfigChanged]: (message, effects) => {
    if (!change(message, effects)) effects.configChanged()
  },
  [HUB_METHODS.notifyMessage]: (message, effects) => {
    // A change of the notification centre, or something to be said at once.
    const event = changeEventSchema.safeParse(message)
    if (event.success) {
      applyChange(event.data, effects)
      if (event.data.kind === 'created') effects.told()
      return
    }
    const notice = noticeSchema.safeParse(message)
    if (notice.success) effects.notify(notice.data)
  },
  [HUB_METHODS.runLog]: log,
  [HUB_METHODS.testWorkflowLog]: (message) => testRunTold.emit(message),
  [HUB_METHODS.workflowPresence]: (message) => presenceTold.emit(message),
}

function change(message: unknown, effects: HubEffects): boolean {
  const event = changeEventSchema.safeParse(message)
  if (event.success) applyChange(event.data, effects)
  return event.success
}

function log(message: unknown, effects: HubEffects): void {
  const lines = runLogMessageSchema.safeParse(message)
  if (lines.success) effects.runLog(lines.data.runId, lines.data.campaignId, lines.data)
}

/** Takes one argument of the hub's `send`. */
export function dispatch(argument: unknown, effects: HubEffects): void {
  const envelope = envelopeSchema.safeParse(unpacked(argument))
  if (!envelope.success) return
  HANDLERS[envelope.data.method]?.(unpacked(envelope.data.message), effects)
}
