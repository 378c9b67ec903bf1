import { and, asc, eq, isNull } from 'drizzle-orm'
import type { projectTransfer } from '@weft/contract/projects/transfer-api'
import { PROJECT_FILE, type ProjectFile, type workflowInFile } from '@weft/contract/projects/transfer'
import { projectDefaults } from '@weft/contract/projects/values'
import type { z } from 'zod'
import { stream } from '../../kit/answers.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import type { Handler } from '../../kit/implement.ts'
import { findRecord, iso } from '../../kit/record.ts'
import { scopeColumns, sourceOf } from '../../kit/resource/definition.ts'
import { testsForFile } from '../workflow-tests/carry.ts'
import { workflow, workflowRelease } from '../workflows/table.ts'
import { projectRecord } from './record.ts'
import { projectSecret } from './table.ts'

/** A whole project as one text, workflow after workflow, so that only one of them is in memory. */
export const exportProject: Handler<typeof projectTransfer.export> = async (ctx, { id }) => {
  const row = await findRecord(ctx, sourceOf(projectRecord), id, 'EXPORT')
  const secrets = await ctx.tx
    .select({ name: projectSecret.name, description: projectSecret.description })
    .from(projectSecret)
    .where(eq(projectSecret.projectId, id))
    .orderBy(asc(projectSecret.name))
  const { name, description, colour, variables } = row
  const head: Omit<ProjectFile, 'workflows'> = {
    format: PROJECT_FILE,
    formatVersion: 1,
    exportedAt: new Date().toISOString(),
    project: {
      name,
      description,
      colour,
      variables,
      defaults: projectDefaults.parse(row.defaults),
      secrets,
    },
  }
  return stream({
    contentType: 'application/json',
    fileName: fileNameFor(name, 'project'),
    body: textOf(ctx, id, head),
  })
}

/** What a file of something with this name is called. */
export function fileNameFor(name: string, otherwise: string): string {
  return `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || otherwise}.weft.json`
}

async function* textOf(
  ctx: CallContext,
  projectId: string,
  head: Omit<ProjectFile, 'workflows'>,
): AsyncGenerator<string> {
  const opening = JSON.stringify(head, null, 2)
  yield `${opening.slice(0, -2)},\n  "workflows": [`
  const rows = await ctx.tx
    .select({ id: workflow.id })
    .from(workflow)
    .where(
      and(
        eq(workflow.projectId, projectId),
        eq(workflow.kind, 'workflow'),
        isNull(workflow.deletedAt),
        ctx.scope('VIEW', 'WORKFLOW', scopeColumns(workflow)),
      ),
    )
    .orderBy(asc(workflow.createdAt), asc(workflow.id))
  let first = true
  for (const { id } of rows) {
    const text = JSON.stringify(await workflowOf(ctx.tx, id), null, 2)
    yield `${first ? '' : ','}\n    ${text.replaceAll('\n', '\n    ')}`
    first = false
  }
  yield first ? ']\n}\n' : '\n  ]\n}\n'
}

/** A workflow as a file has it; null where there is none. */
export async function workflowOf(tx: Tx, id: string): Promise<z.input<typeof workflowInFile> | null> {
  const [row] = await tx.select().from(workflow).where(eq(workflow.id, id))
  if (!row) return null
  const releases = await tx
    .select()
    .from(workflowRelease)
    // What is withdrawn here is not offered elsewhere.
    .where(and(eq(workflowRelease.workflowId, id), isNull(workflowRelease.withdrawnAt)))
    .orderBy(asc(workflowRelease.number))
  const { name, description, icon, folder, tags, notes } = row
  return {
    id,
    name,
    description,
    icon,
    folder,
    tags,
    notes,
    draft: { ...row.draft },
    releases: releases.map(({ number, changelog, createdAt, document }) => ({
      number,
      changelog,
      createdAt: iso(createdAt),
      document: { ...document },
    })),
    tests: await testsForFile(tx, row),
  }
}
