import type { z } from 'zod'
import {
  bigint,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  ATTACHABLE,
  CAMPAIGN_TYPES,
  type errorPolicySchema,
  type itemErrorSchema,
  type pacingSchema,
  type Pairing,
  type scheduleSchema,
} from '@weft/contract/campaigns/schema'
import { CAMPAIGN_STATES, ITEM_STATES } from '@weft/contract/campaigns/states'
import { recordColumns } from '../../kit/record.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

export type Schedule = z.infer<typeof scheduleSchema>
export type Pacing = z.infer<typeof pacingSchema>
export type ErrorPolicy = z.infer<typeof errorPolicySchema>

export const campaign = pgTable('campaign', {
  ...recordColumns(),
  code: text().notNull(),
  title: text().notNull(),
  description: text().notNull().default(''),
  type: text({ enum: CAMPAIGN_TYPES }).notNull(),
  projectId: uuid('project_id'),
  workflowId: uuid('workflow_id'),
  release: integer(),
  inputs: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  pairing: jsonb().$type<Pairing>().notNull(),
  schedule: jsonb().$type<Schedule>().notNull(),
  pacing: jsonb().$type<Pacing>().notNull(),
  errors: jsonb().$type<ErrorPolicy>().notNull(),
  priority: smallint().notNull().default(5),
  state: text({ enum: CAMPAIGN_STATES }).notNull().default('draft'),
  stateReason: text('state_reason'),
  stateChangedAt: at('state_changed_at').notNull().defaultNow(),
  nextStartAt: at('next_start_at'),
  beginAt: at('begin_at'),
  startedAt: at('started_at'),
  finishedAt: at('finished_at'),
  copiedFromId: uuid('copied_from_id'),
  /** Items that had failed, and had been done or failed, when a person last let it go on: the policy looks at what came after. */
  failedBefore: integer('failed_before').notNull().default(0),
  settledBefore: integer('settled_before').notNull().default(0),
})
export type CampaignRow = typeof campaign.$inferSelect

/** What is attached to a campaign, in the order of attaching. */
export const campaignResource = pgTable(
  'campaign_resource',
  {
    campaignId: uuid('campaign_id').notNull(),
    kind: text({ enum: ATTACHABLE }).notNull(),
    resourceId: uuid('resource_id').notNull(),
    position: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.kind, table.resourceId] })],
)

/** Items by state, in shards; kept by a trigger. */
export const campaignTally = pgTable(
  'campaign_tally',
  {
    campaignId: uuid('campaign_id').notNull(),
    shard: smallint().notNull(),
    planned: integer().notNull().default(0),
    ready: integer().notNull().default(0),
    leased: integer().notNull().default(0),
    running: integer().notNull().default(0),
    done: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    uncertain: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    cancelled: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.shard] })],
)

/** A row of the ledger: what it binds, its state, its attempts. */
export const campaignItem = pgTable('campaign_item', {
  id: uuid().primaryKey(),
  campaignId: uuid('campaign_id').notNull(),
  seq: integer().notNull(),
  state: text({ enum: ITEM_STATES }).notNull().default('planned'),
  attempt: integer().notNull().default(0),
  attemptsForgiven: integer('attempts_forgiven').notNull().default(0),
  fence: integer().notNull().default(0),
  accountId: uuid('account_id'),
  profileId: uuid('profile_id'),
  proxyId: uuid('proxy_id'),
  phoneId: uuid('phone_id'),
  videoId: uuid('video_id'),
  clientId: uuid('client_id'),
  runId: uuid('run_id'),
  readyAt: at('ready_at'),
  error: jsonb().$type<z.infer<typeof itemErrorSchema>>(),
  outputs: jsonb().$type<Record<string, unknown>>(),
  note: text(),
  startAt: text('start_at'),
  /** The hold that it waits in, or goes on from. */
  holdId: uuid('hold_id'),
  startedAt: at('started_at'),
  settledAt: at('settled_at'),
})
export type ItemRow = typeof campaignItem.$inferSelect
