import { z } from 'zod'
import { FRAME_MAX_BYTES } from '../attended-runs/schema.ts'
import { defineApi } from '../core/endpoint.ts'
import { queryInt } from '../core/list.ts'
import { id } from '../core/record.ts'
import { commandSchema, heartbeatInput, registerInput, sessionInput, sessionSchema } from './sessions.ts'
import {
  claimInput,
  claimResultSchema,
  holdEndSchema,
  leaseResultSchema,
  rejectInput,
  renewInput,
  secretHandle,
  startInput,
} from './jobs.ts'
import { finishInput, finishResultSchema, reportInput, reportResultSchema, waitSchema } from './reports.ts'

const at = '/api-client/api/v1/agent'
/** The stream's hub: commands come as `send` with method `command`. */
export const AGENT_STREAM_PATH = `${at}/stream`
export const SNAPSHOT_MAX_BYTES = 256 * 1024 * 1024

/** Answered during maintenance too: what is under way is held and reported; only new work waits. */
const call = { access: 'agent', idempotent: false, duringMaintenance: true } as const

/** The agent's side of the product. Every call is outbound from the agent; everything about runs comes in batches. */
export const agents = defineApi('agents', {
  register: {
    method: 'POST',
    path: `${at}/register`,
    access: 'public',
    idempotent: false,
    summary: 'Join as a client with a one-time code and a public key',
    input: registerInput,
    data: z.object({ clientId: id, clientKey: z.string(), serverPublicKey: z.string() }),
    audit: 'client.register',
  },
  challenge: {
    method: 'POST',
    path: `${at}/challenge`,
    access: 'public',
    idempotent: false,
    duringMaintenance: true,
    summary: 'A nonce to sign',
    input: z.strictObject({ clientId: id }),
    data: z.object({ nonce: z.string() }),
  },
  session: {
    method: 'POST',
    path: `${at}/session`,
    access: 'public',
    idempotent: false,
    duringMaintenance: true,
    summary: 'Open a session by signing the nonce',
    input: sessionInput,
    data: sessionSchema,
  },
  heartbeat: {
    ...call,
    method: 'POST',
    path: `${at}/heartbeat`,
    summary: 'I am here, this is how I am; answers with what is to be done',
    input: heartbeatInput,
    data: z.object({
      commands: z.array(commandSchema),
      /** A new token when the old one is over half its life. */
      token: z.string().nullable(),
      expiresInSeconds: z.number().nullable(),
    }),
  },
  claim: {
    ...call,
    duringMaintenance: false,
    method: 'PUT',
    path: `${at}/runs/claim`,
    summary: 'Take offered runs; the answer holds the signed jobs',
    input: claimInput,
    data: claimResultSchema,
  },
  reject: {
    ...call,
    method: 'PUT',
    path: `${at}/runs/reject`,
    summary: 'Give offered or claimed runs back, before any effect',
    input: rejectInput,
    data: leaseResultSchema,
  },
  start: {
    ...call,
    method: 'PUT',
    path: `${at}/runs/start`,
    summary: 'First renewal and start in one: the leases hold, the work begins',
    input: startInput,
    data: leaseResultSchema,
  },
  renew: {
    ...call,
    method: 'PUT',
    path: `${at}/runs/renew`,
    summary: 'Hold the leases for another while; tells of cancelled ones',
    input: renewInput,
    data: leaseResultSchema,
  },
  report: {
    ...call,
    method: 'POST',
    path: `${at}/runs/events`,
    summary: 'Numbered events of runs',
    input: reportInput,
    data: reportResultSchema,
    maxBodyBytes: 8 * 1024 * 1024,
  },
  finish: {
    ...call,
    method: 'PUT',
    path: `${at}/runs/finish`,
    summary: 'The runs are over; retried until answered',
    input: finishInput,
    data: finishResultSchema,
    maxBodyBytes: 8 * 1024 * 1024,
  },
  log: {
    ...call,
    method: 'PATCH',
    path: `${at}/runs/{id}/log`,
    summary: 'Bytes of a log from an offset; 416 says from where to send again',
    input: z.strictObject({ id, leaseToken: z.string().max(100), offset: queryInt(z.int().min(0)) }),
    rawBody: { maxBytes: 1024 * 1024 },
    data: z.object({ size: z.number().int() }),
  },
  frame: {
    ...call,
    method: 'PUT',
    path: `${at}/runs/{id}/frame`,
    summary: 'The newest picture of an attended run; the one before it is forgotten',
    input: z.strictObject({ id, leaseToken: z.string().max(100) }),
    rawBody: { maxBytes: FRAME_MAX_BYTES },
    /** `wanted`: somebody looks on; else a picture now and then is enough. */
    data: z.object({ taken: z.boolean(), wanted: z.boolean() }),
  },
  wait: {
    ...call,
    method: 'PUT',
    path: `${at}/runs/{id}/wait`,
    summary: 'A run waits long without leaving; asked again until it is over',
    input: z.strictObject({
      id,
      leaseToken: z.string().max(100),
      /** Which wait of the run. */
      seq: z.int().min(1).max(1_000_000),
      wait: waitSchema,
    }),
    data: z.object({
      end: holdEndSchema.nullable(),
    }),
  },
  secret: {
    ...call,
    method: 'POST',
    path: `${at}/runs/secret`,
    summary: 'One secret that a held run needs; kept in memory only',
    input: z.strictObject({
      runId: id,
      leaseToken: z.string().max(100),
      handle: secretHandle,
    }),
    data: z.object({ value: z.union([z.string(), z.array(z.string())]) }),
  },
  workflow: {
    ...call,
    method: 'GET',
    path: `${at}/workflow/{hash}`,
    summary: 'A workflow document by the hash in a job',
    input: z.strictObject({ hash: z.string().length(64) }),
    data: z.object({ document: z.record(z.string(), z.unknown()) }),
  },
  subworkflow: {
    ...call,
    method: 'GET',
    path: `${at}/runs/{id}/workflow/{workflowId}`,
    summary: 'The newest or a given release of a workflow that a held run calls',
    input: z.strictObject({
      id,
      workflowId: id,
      leaseToken: z.string().max(100),
      release: queryInt(z.int().min(1)).optional(),
    }),
    data: z.object({ document: z.record(z.string(), z.unknown()), release: z.number().int() }),
  },
  inputFile: {
    ...call,
    method: 'GET',
    path: `${at}/runs/{id}/file/{fileId}`,
    summary: 'The bytes of a file that a held run uploads to a page',
    input: z.strictObject({ id, fileId: id, leaseToken: z.string().max(100) }),
    stream: ['application/octet-stream'],
  },
  snapshot: {
    ...call,
    method: 'GET',
    path: `${at}/runs/{id}/snapshot`,
    summary: 'The saved browser profile of a held run',
    input: z.strictObject({ id, leaseToken: z.string().max(100) }),
    stream: ['application/octet-stream'],
  },
  upload: {
    ...call,
    method: 'PUT',
    path: `${at}/file/{sha256}`,
    summary: 'Part of a file, to the address of its content; tells how much is there',
    input: z.strictObject({
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      offset: queryInt(z.int().min(0)),
      size: queryInt(z.int().min(0).max(SNAPSHOT_MAX_BYTES)),
    }),
    rawBody: { maxBytes: 8 * 1024 * 1024 },
    data: z.object({ received: z.number().int(), complete: z.boolean() }),
  },
})
