import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { parameterSchema, type Parameter } from '@weft/contract/activities/schema'
import { customActivity } from '@weft/workflow/catalogue/flow'
import { resultsOf } from '@weft/workflow/catalogue/custom'
import { capabilitiesOf } from '@weft/workflow/capabilities'
import type { WorkflowDocument } from '@weft/workflow/document'
import type { Tx } from '../../db/connection.ts'
import { obstacleOf } from '../projects/open.ts'
import { isUsed, projectStatus } from '../workflows/record.ts'
import { workflow, workflowRelease } from '../workflows/table.ts'
import type { Row } from './rows.ts'

/** A custom activity with the version of it that is asked for. */
export interface Custom {
  row: Omit<Row, 'enabled' | 'can' | 'cannot'>
  /** What access rules look at. */
  seen: { id: string; ownerId: string | null; projectId: string | null; name: string }
  /** What stands in the way of changing it in its project. */
  obstacle: ReturnType<typeof obstacleOf>
  used: boolean
}

/** Custom activities, by name; of each its newest version, or the one that is named. */
export async function customActivities(
  tx: Tx,
  which: { id?: string; number?: number | undefined } = {},
): Promise<Custom[]> {
  const number = which.number === undefined ? workflow.publishedRelease : sql`${which.number}::int`
  const rows = await tx
    .select({
      id: workflow.id,
      ownerId: workflow.ownerId,
      projectId: workflow.projectId,
      projectStatus,
      name: workflow.name,
      description: workflow.description,
      icon: workflow.icon,
      category: workflow.category,
      version: workflow.version,
      updatedAt: workflow.updatedAt,
      number: workflowRelease.number,
      document: workflowRelease.document,
      used: sql<boolean>`${isUsed}`,
    })
    .from(workflow)
    .leftJoin(
      workflowRelease,
      and(eq(workflowRelease.workflowId, workflow.id), eq(workflowRelease.number, number)),
    )
    .where(
      and(
        eq(workflow.kind, 'activity'),
        isNull(workflow.deletedAt),
        which.id === undefined ? undefined : eq(workflow.id, which.id),
      ),
    )
    .orderBy(workflow.name, workflow.id)
  return rows.map(
    ({ document, number: found, category, used, ownerId, projectId, projectStatus: status, ...own }) => ({
      seen: { id: own.id, ownerId, projectId, name: own.name },
      obstacle: obstacleOf(status),
      used,
      row: {
        ...own,
        type: customActivity.type,
        activityVersion: found,
        category: category ?? 'flow',
        sideEffect: document ? capabilitiesOf(document).sideEffect : 'none',
        inputSchema: document ? schemaOf(document) : {},
        parameters: document ? parametersOf(document) : [],
        outputs: document ? resultsOf(document).map((name) => ({ name, type: 'any' })) : [],
        outcomes: ['done'],
        timeLimitSeconds: customActivity.defaultTimeLimitSeconds,
        builtIn: false,
        updatedAt: own.updatedAt.toISOString(),
      },
    }),
  )
}

const parameters = z.array(parameterSchema)

/** The parameters of a custom activity: the inputs of its body. */
export function parametersOf({ inputs }: WorkflowDocument): Parameter[] {
  return parameters.parse(inputs)
}

const SCHEMA_TYPES = { text: 'string', number: 'number', boolean: 'boolean', list: 'array' } as const

/** The form of the parameters as JSON schema, as built-in activities give theirs. */
function schemaOf(document: WorkflowDocument): Record<string, unknown> {
  const all = parametersOf(document)
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(({ name, type }) => [name, { type: SCHEMA_TYPES[type] }])),
    required: all.flatMap(({ name, required }) => (required ? [name] : [])),
    additionalProperties: false,
  }
}
