import { z } from 'zod'
import { baseRecord, id, notes, tags, timestamp } from '../core/record.ts'

export const CONNECTION_STATES = ['never', 'online', 'late', 'lost', 'offline'] as const
export const ADMIN_STATES = ['enabled', 'paused', 'draining', 'disabled', 'revoked'] as const
export type AdminState = (typeof ADMIN_STATES)[number]

const plain = {
  name: z.string().trim().min(1).max(120),
  labels: z
    .array(
      z
        .string()
        .trim()
        .regex(/^[\w.:-]{1,40}$/),
    )
    .max(30),
  tags,
  notes,
}

export const browserSchema = z.object({ type: z.string(), version: z.string() })

/**
 * A worker machine. Three separate truths: `connection` (is it heard from), `work` (what it does), `admin` (what it is
 * allowed to do). `remaining` is the number of free slots.
 */
export const clientSchema = z.object({
  ...baseRecord,
  ...plain,
  clientKey: z.string(),
  os: z.string(),
  arch: z.string(),
  localIp: z.string().nullable(),
  publicIp: z.string().nullable(),
  userIns: z.number().int(),
  thread: z.number().int(),
  remaining: z.number().int(),
  cpu: z.number().nullable(),
  mem: z.number().int().nullable(),
  diskFreeMb: z.number().int().nullable(),
  agentVersion: z.string().nullable(),
  browsers: z.array(browserSchema),
  connection: z.enum(CONNECTION_STATES),
  work: z.object({ busy: z.number().int(), slots: z.number().int() }),
  admin: z.enum(ADMIN_STATES),
  adminNote: z.string().nullable(),
  pausedUntil: timestamp.nullable(),
  refusing: z.string().nullable(),
  lastSeenAt: timestamp.nullable(),
})
export type Client = z.infer<typeof clientSchema>

/** A client comes by joining, so creating one gives only its name and labels; it is `never` until an agent joins as it. */
export const clientCreate = {
  name: plain.name,
  labels: plain.labels.default([]),
  tags: tags.default([]),
  notes: notes.default(''),
}
export const clientUpdate = {
  ...z.object(plain).partial().shape,
  thread: z.int().min(1).max(64).optional(),
}

/** How long what a client did is remembered minute by minute. */
export const CLIENT_SAMPLE_DAYS = 7

/** A stretch of time in which a client was heard from; figures are means over it. */
export const clientLoadSchema = z.object({
  /** Length of each stretch. One that is not there was silent. */
  stepSeconds: z.number().int(),
  from: timestamp,
  to: timestamp,
  points: z.array(
    z.object({
      at: timestamp,
      cpu: z.number().nullable(),
      mem: z.number().nullable(),
      busy: z.number(),
      slots: z.number(),
    }),
  ),
})
export type ClientLoad = z.infer<typeof clientLoadSchema>

/** What is looked at when a client does not do what one expects of it, in the order in which it matters. */
export const DIAGNOSES = [
  'connection',
  'admin',
  'refusing',
  'version',
  'browsers',
  'disk',
  'slots',
  'failures',
] as const
export const diagnosisSchema = z.object({
  id: z.enum(DIAGNOSES),
  state: z.enum(['good', 'notice', 'bad', 'unknown']),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
})
export type Diagnosis = z.infer<typeof diagnosisSchema>

/** A join code that was made, without the code, which is shown only once. */
export const openJoinCodeSchema = z.object({
  id,
  labels: z.array(z.string()),
  maxSlots: z.number().int(),
  createdAt: timestamp,
  expiresAt: timestamp,
})
export type OpenJoinCode = z.infer<typeof openJoinCodeSchema>

export const joinCodeSchema = z.object({
  id,
  code: z.string(),
  expiresAt: timestamp,
  /** One line to run on the machine that joins. */
  command: z.string(),
})
