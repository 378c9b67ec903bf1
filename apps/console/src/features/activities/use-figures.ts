import { useMemo } from 'react'
import { activities } from '@weft/contract/activities/api'
import type { ActivityFigures } from '@weft/contract/activities/schema'
import { useRead } from '../../lib/query.ts'

/** How much each activity is used. They take longer than the list, which does not wait for them. */
export function useFigures(): (id: string) => ActivityFigures | undefined {
  const read = useRead(activities.figures, {})
  return useMemo(() => {
    const byId = new Map(read.data?.map((figures) => [figures.id, figures]))
    return (id: string) => byId.get(id)
  }, [read.data])
}
