import { z } from 'zod'

/** Features whose records change before others' eyes. */
export const EVENT_FEATURES = [
  'campaigns',
  'runs',
  'clients',
  'accounts',
  'profiles',
  'phones',
  'proxies',
  'videos',
  'devices',
  'workflows',
  'workflowComments',
  'activities',
  'projects',
  'system',
  'users',
  'roles',
  'imports',
  'bulks',
  'notifications',
  'preferences',
  'views',
] as const
export type EventFeature = (typeof EVENT_FEATURES)[number]

/** A change that was committed. `seq` grows with every event; a page asks for all after the last it saw. */
export const changeEventSchema = z.object({
  seq: z.number().int(),
  feature: z.enum(EVENT_FEATURES),
  id: z.string(),
  kind: z.enum(['created', 'updated', 'deleted', 'progress']),
  /** A campaign's or other parent's id, so that a page of the parent can tell. */
  parentId: z.string().nullable(),
  at: z.string(),
})
export type ChangeEvent = z.infer<typeof changeEventSchema>

/**
 * The hub's `send` carries one of these methods. Changes of clients, workflows and system configuration have methods of
 * their own as the specification names them; every other change is `recordChanged`.
 */
export const HUB_METHODS = {
  pingPong: 'pingPong',
  testWorkflowLog: 'testWorkflowLog',
  notifyMessage: 'notifyMessage',
  clientChanged: 'clientChanged',
  systemConfigChanged: 'systemConfigChanged',
  workflowChanged: 'workflowChanged',
  /** Who else has a workflow open, and where they are in it. */
  workflowPresence: 'workflowPresence',
  fashionGenerate: 'fashionGenerate',
  recordChanged: 'recordChanged',
  /** To one person: what they may do has changed. */
  userChanged: 'userChanged',
  runLog: 'runLog',
} as const
export type HubMethod = (typeof HUB_METHODS)[keyof typeof HUB_METHODS]

/** The hub method that a change of this feature is sent as. */
export function hubMethodOf(feature: EventFeature): HubMethod {
  if (feature === 'clients') return HUB_METHODS.clientChanged
  if (feature === 'workflows') return HUB_METHODS.workflowChanged
  if (feature === 'system') return HUB_METHODS.systemConfigChanged
  if (feature === 'notifications') return HUB_METHODS.notifyMessage
  return HUB_METHODS.recordChanged
}

/** The single argument of the client method `send`. */
export interface HubEnvelope {
  method: HubMethod
  message: unknown
}

/** Live lines of a run's log; the stored log is exact, this stream is best effort. */
export const runLogMessageSchema = z.object({
  runId: z.string(),
  campaignId: z.string().nullable(),
  lines: z.array(
    z.object({ at: z.string(), level: z.string(), stepId: z.string().nullable(), text: z.string() }),
  ),
})
export type RunLogMessage = z.infer<typeof runLogMessageSchema>

/**
 * What a browser may invoke on the hub. `Changes` replays events; `Watch` asks for a record's live stream; `Present` says
 * which workflow the page has open.
 */
export const HUB_INVOCATIONS = {
  ping: 'PingPong',
  changes: 'Changes',
  watch: 'Watch',
  unwatch: 'Unwatch',
  present: 'Present',
} as const

export const changesArgs = z.tuple([z.strictObject({ after: z.int().min(0) })])
/** `tooOld` says that events were already cleared away: fetch everything anew. */
export const changesResult = z.object({
  events: z.array(changeEventSchema),
  latest: z.number().int(),
  tooOld: z.boolean(),
})
export const watchArgs = z.tuple([z.strictObject({ feature: z.enum(['runs', 'campaigns']), id: z.uuid() })])
