import { useMemo } from 'react'
import { projects } from '@weft/contract/projects/api'
import type { ProjectNames } from '@weft/contract/projects/values'
import { useRead } from '../../../lib/query.ts'

const NONE: ProjectNames = { variables: [], secrets: [] }

/** What the workflow's project gives to expressions; undefined until it is known, or where it cannot be. */
export function useProjectNames(projectId: string | null): ProjectNames | undefined {
  const { data } = useRead(projects.names, { id: projectId ?? '' }, { enabled: projectId !== null })
  return projectId === null ? NONE : data
}

/** The same as validation asks for it. */
export function useKnownNames(projectId: string | null) {
  const names = useProjectNames(projectId)
  return useMemo(
    () => names && { variables: names.variables.map(({ name }) => name), secrets: names.secrets },
    [names],
  )
}
