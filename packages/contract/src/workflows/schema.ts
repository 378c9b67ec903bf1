import { z } from 'zod'
import { baseRecord, id, notes, tags, timestamp } from '../core/record.ts'
import { releaseTestsSchema } from '../workflow-tests/standing.ts'

/**
 * A workflow's document on the wire: as `packages/workflow` describes it, but for each activity's `state`, which is a
 * base64 JSON text here.
 */
export const wireDocumentSchema = z.looseObject({
  schemaVersion: z.number().int(),
  activities: z.array(
    z.looseObject({ id: z.string().max(64), type: z.string().max(64), state: z.string().max(700_000) }),
  ),
})
export type WireDocument = z.infer<typeof wireDocumentSchema>

/** What is wrong with a document: a code with params, and the activity and field it is about. */
export const problemSchema = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  activityId: z.string().nullable(),
  path: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type Problem = z.infer<typeof problemSchema>

/** A workflow, or the body of a custom activity. */
export const WORKFLOW_KINDS = ['workflow', 'activity'] as const

const MAX_FOLDER_LEVELS = 6
const MAX_FOLDER_CHARS = 200

/**
 * Where a workflow is kept, as names with `/` between them; none is the top. Spaces around names do not count, and a comma
 * parts the folders of a filter.
 */
export const folder = z
  .string()
  .max(MAX_FOLDER_CHARS)
  .regex(/^[^,]*$/)
  .overwrite((text) =>
    text
      .split('/')
      .map((name) => name.trim())
      .filter(Boolean)
      .join('/'),
  )
  .refine((text) => text.split('/').length <= MAX_FOLDER_LEVELS)

/** A folder, and how many workflows are in it and below it. */
export const folderSchema = z.object({ folder: z.string(), count: z.number().int() })

const plain = {
  name: z.string().trim().min(1).max(120),
  description: z.string().max(10_000),
  icon: z.string().max(60),
  projectId: id.nullable(),
  folder,
  tags,
  notes,
}

export const workflowRowSchema = z.object({
  ...baseRecord,
  ...plain,
  kind: z.enum(WORKFLOW_KINDS),
  projectName: z.string().nullable(),
  publishedRelease: z.number().int().nullable(),
  hasUnpublishedChanges: z.boolean(),
  testsMustPass: z.boolean(),
  activityCount: z.number().int(),
})
export type WorkflowRow = z.infer<typeof workflowRowSchema>

export const workflowSchema = workflowRowSchema.extend({
  draft: wireDocumentSchema,
  /** Who made the draft as it is; null where that is not known. */
  draftBy: z.object({ id, displayName: z.string() }).nullable(),
  problems: z.array(problemSchema),
})
export type Workflow = z.infer<typeof workflowSchema>

export const releaseSchema = z.object({
  id,
  workflowId: id,
  number: z.number().int(),
  changelog: z.string(),
  contentHash: z.string(),
  createdAt: timestamp,
  createdByName: z.string().nullable(),
  inUse: z.boolean(),
  /** Not offered to new campaigns and calls since then; what is pinned to it goes on. */
  withdrawnAt: timestamp.nullable(),
  /** Null where the workflow had no tests then. */
  tests: releaseTestsSchema.nullable(),
  inputs: z.array(z.looseObject({ name: z.string() })),
})
export type Release = z.infer<typeof releaseSchema>

export const workflowCreate = {
  ...plain,
  description: plain.description.default(''),
  icon: plain.icon.default('route'),
  projectId: plain.projectId.default(null),
  folder: plain.folder.default(''),
  tags: tags.default([]),
  notes: notes.default(''),
  draft: wireDocumentSchema.optional(),
  /** The workflow that this one is a copy of: its tests come along. */
  copyOf: id.optional(),
}
export const workflowUpdate = {
  ...z.object(plain).partial().shape,
  /** Whether a release needs every test to have passed on its draft; for who may publish. */
  testsMustPass: z.boolean().optional(),
  draft: wireDocumentSchema.optional(),
}

/** What keeps a workflow from being offered on the market. */
export const LISTING_GAPS = [
  'no_release',
  'unpublished_changes',
  'no_description',
  'no_icon',
  'problems',
  'activity_switched_off',
  'secrets',
  'calls_others',
  'market_closed',
] as const

/** How far a workflow is from a listing, and what its newest release does, for those who would buy it. */
export const listingSchema = z.object({
  ready: z.boolean(),
  release: z.number().int().nullable(),
  missing: z.array(
    z.object({
      code: z.enum(LISTING_GAPS),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
  /** Of the release with all that it calls; null without one. */
  sheet: z
    .object({
      domains: z.array(z.string()),
      /** Some addresses are worked out while it runs. */
      openDomains: z.boolean(),
      activities: z.array(z.string()),
      resources: z.array(z.string()),
      sideEffect: z.enum(['none', 'read', 'write', 'irreversible']),
    })
    .nullable(),
})
