import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id, idInput } from '../core/record.ts'
import { at } from './api.ts'
import { importReport, lackSchema, MAX_MOVED, PROJECT_FILE_BYTES, projectFile } from './transfer.ts'

/** The calls by which workflows come into projects, and projects travel; apart, since pages that only name projects need none of it. */
export const projectTransfer = defineApi('projects', {
  lacks: {
    method: 'POST',
    path: `${at}/lacks/{id}`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'What workflows need that a project does not give: asked before they are moved or copied there',
    readsOnly: true,
    input: z.strictObject({ id, workflowIds: z.array(id).min(1).max(MAX_MOVED) }),
    data: z.array(lackSchema),
  },
  takeWorkflows: {
    method: 'POST',
    path: `${at}/take-workflows/{id}`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary:
      'Move workflows into a project, or copy their drafts there; refused while it lacks something, unless anyway',
    input: z.strictObject({
      id,
      workflowIds: z.array(id).min(1).max(MAX_MOVED),
      copy: z.boolean(),
      anyway: z.boolean().default(false),
    }),
    data: z.object({ workflowIds: z.array(id) }),
    audit: 'project.take_workflows',
  },
  export: {
    method: 'GET',
    path: `${at}/export/{id}`,
    access: { action: 'EXPORT', subject: 'PROJECT' },
    summary:
      'A whole project as one text: workflows with releases, variables, defaults, the names of its secrets',
    input: idInput,
    stream: ['application/json'],
  },
  import: {
    method: 'POST',
    path: `${at}/import`,
    access: { action: 'IMPORT', subject: 'PROJECT' },
    summary: 'Make a new project of such a text, and say what is missing',
    input: z.strictObject({ file: projectFile, name: z.string().trim().min(1).max(120).optional() }),
    data: importReport,
    audit: 'project.import',
    maxBodyBytes: PROJECT_FILE_BYTES,
  },
})
