import { z } from 'zod'
import type { Subject } from '../core/permissions.ts'
import { id, timestamp } from '../core/record.ts'
import { IMPORT_KINDS } from '../imports/schema.ts'

/** So many days what was thrown away can be taken back; then it goes for good. */
export const TRASH_DAYS = 30

/** The kinds of records that the common trash shows. */
export const TRASH_KINDS = [
  ...IMPORT_KINDS,
  'campaigns',
  'workflows',
  'activities',
  'projects',
  'users',
  'roles',
] as const
export type TrashKind = (typeof TRASH_KINDS)[number]

/** By whose rules each kind is seen and taken back. */
export const TRASH_SUBJECTS = {
  accounts: 'ACCOUNT',
  clients: 'CLIENT',
  profiles: 'PROFILE',
  phones: 'PHONE',
  proxies: 'PROXY',
  videos: 'VIDEO',
  campaigns: 'CAMPAIGN',
  workflows: 'WORKFLOW',
  activities: 'ACTIVITY',
  projects: 'PROJECT',
  users: 'USER',
  roles: 'ROLE',
} as const satisfies Record<TrashKind, Subject>

/** A record in the trash, of whatever kind. */
export const thrownSchema = z.object({
  /** Of the trash: the kind and the record's own id. */
  id: z.string(),
  kind: z.enum(TRASH_KINDS),
  recordId: id,
  name: z.string(),
  deletedAt: timestamp,
  /** Who threw it away, where that was noted for this record alone. */
  deletedBy: z.object({ id: id.nullable(), name: z.string() }).nullable(),
  /** When it goes for good by itself; null where something still speaks of it, or where it stays until somebody takes it back. */
  goesAt: timestamp.nullable(),
  can: z.array(z.string()),
})
export type Thrown = z.infer<typeof thrownSchema>

/** How much of a kind lies in the trash. */
export const trashKindSchema = z.object({
  kind: z.enum(TRASH_KINDS),
  count: z.number().int(),
  /** There are more than so many. */
  more: z.boolean(),
})
