import { z } from 'zod'
import { id, notes, tags, timestamp } from '../core/record.ts'
import { testInFile, WORKFLOW_TEST_LIMITS } from '../workflow-tests/schema.ts'
import { folder } from '../workflows/schema.ts'
import { projectDefaults, projectVariables, valueName } from './values.ts'

/** Something that a workflow needs and a project does not give. */
export const lackSchema = z.object({
  workflowId: id,
  workflowName: z.string(),
  /** A called workflow, or a custom activity, that is not there, or a variable or secret that the project does not have. */
  kind: z.enum(['variable', 'secret', 'workflow', 'activity']),
  name: z.string(),
})
export type Lack = z.infer<typeof lackSchema>

/** How many workflows are moved or copied at once. */
export const MAX_MOVED = 100

/** What a project's file begins with, so that it is known for one. */
export const PROJECT_FILE = 'weft.project'
/** A file may hold a few hundred large workflows. */
export const PROJECT_FILE_BYTES = 32 * 1024 * 1024

const document = z.record(z.string(), z.json())
const releaseInFile = z.strictObject({
  number: z.int().min(1),
  changelog: z.string().max(5000),
  createdAt: timestamp,
  document,
})
/** A workflow as a file has it: its ids are those by which the workflows of the file call each other. */
export const workflowInFile = z.strictObject({
  id,
  name: z.string().trim().min(1).max(120),
  description: z.string().max(10_000),
  icon: z.string().max(60),
  folder: folder.default(''),
  tags,
  notes,
  draft: document,
  releases: z.array(releaseInFile).max(1000),
  tests: z.array(testInFile).max(WORKFLOW_TEST_LIMITS.tests).default([]),
})
/** A whole project as one readable text: JSON, without the values of its secrets, its members and its campaigns. */
export const projectFile = z.strictObject({
  format: z.literal(PROJECT_FILE),
  formatVersion: z.literal(1),
  exportedAt: timestamp,
  project: z.strictObject({
    name: z.string().trim().min(1).max(120),
    description: z.string().max(10_000),
    colour: z.string().regex(/^#[0-9a-fA-F]{6}$/),
    variables: projectVariables,
    defaults: projectDefaults,
    secrets: z.array(z.strictObject({ name: valueName, description: z.string().max(500) })).max(100),
  }),
  workflows: z.array(workflowInFile).max(1000),
})
export type ProjectFile = z.infer<typeof projectFile>

/** What an import made, and what is missing before all of it can run. */
export const importReport = z.object({
  projectId: id,
  name: z.string(),
  workflows: z.number().int(),
  releases: z.number().int(),
  missing: z.array(lackSchema),
  /** The secrets that the file names: none has its value yet. */
  secrets: z.array(z.string()),
  /** Releases that are not valid here, that the person may not publish, or that call what is not offered; the drafts are there. */
  leftOut: z.array(z.object({ workflowName: z.string(), number: z.number().int() })),
})
export type ImportReport = z.infer<typeof importReport>

/** A release of one of a project's workflows. */
export const projectReleaseSchema = z.object({
  id,
  workflowId: id,
  workflowName: z.string(),
  number: z.number().int(),
  changelog: z.string(),
  isNewest: z.boolean(),
  createdAt: timestamp,
  createdByName: z.string().nullable(),
})
export type ProjectRelease = z.infer<typeof projectReleaseSchema>

/** How a project is: what failed lately, and which workflows have mistakes. */
export const projectHealthSchema = z.object({
  days: z.number().int(),
  runs: z.object({ succeeded: z.number().int(), failed: z.number().int() }),
  failures: z.array(
    z.object({
      runId: id,
      workflowId: id,
      workflowName: z.string(),
      at: timestamp,
      errorClass: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
  workflows: z.array(
    z.object({ id, name: z.string(), errors: z.number().int(), warnings: z.number().int() }),
  ),
})
export type ProjectHealth = z.infer<typeof projectHealthSchema>
