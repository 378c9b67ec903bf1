import { ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { projects } from '@weft/contract/projects/api'
import type { projectCreate, projectSchema } from '@weft/contract/projects/schema'
import { projectDefaults } from '@weft/contract/projects/values'
import { anyOf } from '../../kit/recordset.ts'
import { defineRecord, idsOf } from '../../kit/resource/definition.ts'
import { commonView, oneOf } from '../../kit/resource/view.ts'
import { project } from './table.ts'

type Input = z.output<z.ZodObject<typeof projectCreate>> &
  Partial<Omit<z.output<typeof projects.update.input>, 'id' | 'version'>>

const counts = {
  workflowCount: sql`(select count(*)::int from workflow w where w.project_id = ${project.id} and w.kind = 'workflow' and w.deleted_at is null)`,
  campaignCount: sql`(select count(*)::int from campaign c where c.project_id = ${project.id} and c.deleted_at is null)`,
}
const furtherValues = z.object({ workflowCount: z.number(), campaignCount: z.number() })

/** Projects, for the general ways of listing and changing records. */
export const projectRecord = defineRecord<typeof project, z.input<typeof projectSchema>, Input>({
  feature: 'projects',
  subject: 'PROJECT',
  table: project,
  search: project.search,
  sort: { name: project.name, status: project.status },
  defaultSort: { by: 'createdAt', desc: true },
  // An archived project is there for who asks for it.
  filter: ({ status }) => [oneOf(project.status, status) ?? ne(project.status, 'archived')],
  extras: counts,
  name: project.name,
  secrets: [],
  links: [],
  columns: (input) => input,
  keptBack: ({ tx }, ids) =>
    idsOf(
      tx,
      sql`select project_id as id from workflow where project_id = ${anyOf(ids)} and deleted_at is null
        union select project_id from campaign where project_id = ${anyOf(ids)} and deleted_at is null`,
    ),
  present(row, extras, decisions) {
    const { workflowCount, campaignCount } = furtherValues.parse(extras)
    const held = workflowCount + campaignCount > 0
    return {
      ...commonView(row, 'PROJECT', decisions, {
        held,
        actions: [{ name: 'export', action: 'EXPORT' }],
      }),
      name: row.name,
      description: row.description,
      colour: row.colour,
      status: row.status,
      variables: row.variables,
      defaults: projectDefaults.parse(row.defaults),
      workflowCount,
      campaignCount,
    }
  },
})
