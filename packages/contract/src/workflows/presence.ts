import { z } from 'zod'

/** How many people a page is told of; who came later is only counted. */
export const PRESENCE_MOST = 50

/**
 * What an editor says of itself on the hub: the workflow that it shows, and the step that its person has chosen there.
 * Without a workflow it is left.
 */
export const presentArgs = z.tuple([
  z.strictObject({
    workflowId: z.uuid().nullable(),
    activityId: z.string().min(1).max(64).nullable().default(null),
  }),
])

/** Who else has a workflow open. A person with several pages is one, with the steps of all of them. */
export const presenceMessageSchema = z.object({
  workflowId: z.string(),
  people: z.array(
    z.object({ userId: z.string(), displayName: z.string(), activityIds: z.array(z.string()) }),
  ),
  /** All who are there, also those beyond `people`. */
  total: z.number().int(),
})
export type PresenceMessage = z.infer<typeof presenceMessageSchema>
export type PresentPerson = PresenceMessage['people'][number]
