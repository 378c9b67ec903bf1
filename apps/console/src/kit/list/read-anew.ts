import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { callAny } from '../../lib/api.ts'
import { readAny } from '../../lib/query.ts'

/**
 * Reads a list past every cache, and then what else of it is in sight, as the other windows of All are. Somebody waits
 * for it: what fails is said at once, not after further tries.
 */
export async function readAnew(
  client: QueryClient,
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const query = readAny(endpoint, input)
  await client.fetchQuery({
    ...query,
    queryFn: ({ signal }) => callAny(endpoint, { ...input, isHardFetch: true }, { signal }),
    staleTime: 0,
    retry: false,
  })
  const done = hashKey(query.queryKey)
  await client.invalidateQueries({
    queryKey: [endpoint.name],
    predicate: ({ queryHash }) => queryHash !== done,
  })
}
