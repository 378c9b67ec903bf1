import {
  bigint,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { ADMIN_STATES } from '@weft/contract/clients/schema'
import { recordColumns } from '../../kit/record.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A worker machine and the session of its agent. */
export const client = pgTable('client', {
  ...recordColumns(),
  clientKey: text('client_key').notNull(),
  name: text().notNull(),
  labels: text().array().notNull().default([]),
  os: text().notNull().default(''),
  arch: text().notNull().default(''),
  localIp: text('local_ip'),
  publicIp: text('public_ip'),
  machineId: text('machine_id'),
  publicKey: text('public_key'),
  thread: integer().notNull().default(1),
  maxSlots: integer('max_slots').notNull().default(64),
  userIns: integer('user_ins').notNull().default(0),
  cpu: real(),
  memMb: integer('mem_mb'),
  diskFreeMb: integer('disk_free_mb'),
  agentVersion: text('agent_version'),
  browsers: jsonb().$type<{ type: string; version: string }[]>().notNull().default([]),
  admin: text({ enum: ADMIN_STATES }).notNull().default('enabled'),
  adminNote: text('admin_note'),
  pausedUntil: at('paused_until'),
  refusing: text(),
  agentState: text('agent_state', { enum: ['running', 'draining', 'stopping'] })
    .notNull()
    .default('running'),
  lastSeenAt: at('last_seen_at'),
  instanceId: uuid('instance_id'),
  sessionHash: text('session_hash'),
  sessionExpiresAt: at('session_expires_at'),
  nonce: text(),
  nonceExpiresAt: at('nonce_expires_at'),
  heartbeatSeq: bigint('heartbeat_seq', { mode: 'number' }).notNull().default(0),
})
export type ClientRow = typeof client.$inferSelect

/** A code, kept as its hash, with which one machine may join. */
export const joinCode = pgTable('join_code', {
  id: uuid().primaryKey(),
  ownerId: uuid('owner_id').notNull(),
  codeHash: text('code_hash').notNull(),
  labels: text().array().notNull().default([]),
  maxSlots: integer('max_slots').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  expiresAt: at('expires_at').notNull(),
  usedAt: at('used_at'),
  clientId: uuid('client_id'),
})

/** How a client was, once a minute. */
export const clientSample = pgTable(
  'client_sample',
  {
    clientId: uuid('client_id').notNull(),
    at: timestamp({ withTimezone: true, precision: 0 }).notNull(),
    cpu: real(),
    memMb: integer('mem_mb'),
    busy: smallint().notNull(),
    slots: smallint().notNull(),
  },
  (table) => [primaryKey({ columns: [table.clientId, table.at] })],
)

/** The key with which the server signs jobs; the private half is sealed. */
export const agentSigningKey = pgTable('agent_signing_key', {
  id: integer().primaryKey(),
  publicKey: text('public_key').notNull(),
  privateKey: text('private_key').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})
