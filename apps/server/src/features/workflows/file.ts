import type { z } from 'zod'
import type { ParsedInputOf } from '@weft/contract/core/endpoint'
import type { workflows } from '@weft/contract/workflows/api'
import { WORKFLOW_FILE, type workflowImportReport } from '@weft/contract/workflows/file'
import { stream } from '../../kit/answers.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Handler } from '../../kit/implement.ts'
import { findRecord, newId } from '../../kit/record.ts'
import { checkLinks } from '../../kit/resource/change.ts'
import { fileNameFor, workflowOf } from '../projects/export.ts'
import { takeIn } from '../projects/import.ts'
import { calledAmong, lacksOf } from '../projects/lacks.ts'
import { knownNames } from '../projects/names.ts'
import { requirePlace } from '../projects/open.ts'
import { workflowLinks, workflowSource } from './record.ts'

/** A workflow with its releases as one text. */
export const exportWorkflow: Handler<typeof workflows.export> = async (ctx, { id }) => {
  const { name } = await findRecord(ctx, workflowSource, id, 'EXPORT')
  const whole = await workflowOf(ctx.tx, id)
  if (!whole) throw new AppError('record.not_found')
  const file = {
    format: WORKFLOW_FILE,
    formatVersion: 1,
    exportedAt: new Date().toISOString(),
    workflow: whole,
  }
  return stream({
    contentType: 'application/json',
    fileName: fileNameFor(name, 'workflow'),
    body: text(file),
  })
}

async function* text(file: object): AsyncGenerator<string> {
  yield `${JSON.stringify(file, null, 2)}\n`
}

/** Makes a new workflow of a file. Its steps keep their ids; calls of others stay what they are, and calls of itself follow. */
export async function importWorkflow(
  ctx: CallContext,
  { file, projectId }: ParsedInputOf<typeof workflows.import>,
): Promise<z.input<typeof workflowImportReport>> {
  const { workflow: one } = file
  await checkLinks(ctx, workflowLinks, { projectId })
  await requirePlace(ctx, projectId, 'WORKFLOW')
  const workflowId = newId()
  const [taken] = await takeIn(ctx, projectId, [one], new Map([[one.id, workflowId]]))
  if (!taken) throw new Error('A workflow was to be made')
  const names = await knownNames(ctx.tx, projectId)
  const known = await calledAmong(ctx, taken.needing.documents)
  const missing = lacksOf([taken.needing], names, known)
  const { releases, leftOut } = taken
  ctx.audit({ feature: 'workflows', recordId: workflowId, after: { name: one.name, releases } })
  return { workflowId, releases, missing, leftOut }
}
