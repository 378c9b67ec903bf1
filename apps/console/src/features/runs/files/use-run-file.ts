import { useQuery } from '@tanstack/react-query'
import { runs } from '@weft/contract/runs/api'
import { call } from '../../../lib/api.ts'
import { worthRetrying } from '../../../lib/query.ts'

/**
 * A file of a run. It is fetched as bytes because it takes the Bearer token; a file never changes, so its key stands
 * outside of the feature that events read anew.
 */
export function useRunFile(id: string, enabled: boolean) {
  return useQuery({
    queryKey: ['run file', id],
    queryFn: async ({ signal }) => (await call(runs.file, { id }, { signal })).blob(),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: worthRetrying,
  })
}
