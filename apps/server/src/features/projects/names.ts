import { asc, eq } from 'drizzle-orm'
import type { ProjectNames } from '@weft/contract/projects/values'
import type { Tx } from '../../kit/context.ts'
import { project, projectSecret } from './table.ts'

/** The names that a project gives to expressions; none where there is no project. */
export async function namesOf(tx: Tx, projectId: string | null): Promise<ProjectNames> {
  if (projectId === null) return { variables: [], secrets: [] }
  const [row] = await tx
    .select({ variables: project.variables })
    .from(project)
    .where(eq(project.id, projectId))
  const secrets = await tx
    .select({ name: projectSecret.name })
    .from(projectSecret)
    .where(eq(projectSecret.projectId, projectId))
    .orderBy(asc(projectSecret.name))
  return {
    variables: (row?.variables ?? []).map(({ name, type }) => ({ name, type })),
    secrets: secrets.map(({ name }) => name),
  }
}

/** The same as validation asks for it. */
export async function knownNames(tx: Tx, projectId: string | null) {
  const { variables, secrets } = await namesOf(tx, projectId)
  return { variables: variables.map(({ name }) => name), secrets }
}
