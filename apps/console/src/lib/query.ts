import {
  QueryClient,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { Endpoint, InputOf, OutputOf } from '@weft/contract/core/endpoint'
import type { ListResult } from '@weft/contract/core/list'
import { call, callAny } from './api.ts'
import { isFailure } from './failure.ts'
import { randomKey } from './id.ts'

const GC_MS = 5 * 60_000
const RETRIES = 3
const LONGEST_WAIT_MS = 30_000

/** How long to wait before the nth retry: doubling from a second, never more than half a minute. */
export function retryDelay(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, LONGEST_WAIT_MS)
}

/** What another try could mend: a lost network, a time-out, a busy or stopping server. A refusal stays one. */
export function worthRetrying(failures: number, error: unknown): boolean {
  if (failures >= RETRIES) return false
  if (!isFailure(error)) return false
  return error.httpStatus === 0 || error.httpStatus === 429 || error.httpStatus >= 500
}

/** The console's one query cache. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: GC_MS,
      staleTime: 5000,
      retry: worthRetrying,
      retryDelay,
      refetchOnWindowFocus: 'always',
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** The key of a read: the endpoint's name first, so that a feature is invalidated by its prefix. */
export function readKey<E extends Endpoint>(endpoint: E, input: InputOf<E>): [string, InputOf<E>] {
  return [endpoint.name, input]
}

/** Query options of a read, for prefetching and for `useQuery`. */
export function read<E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  return queryOptions({
    queryKey: readKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
}

/** Stands in where nothing is read, so that the hook is always called. */
export const NO_ENDPOINT: Endpoint = {
  name: 'none.none',
  method: 'GET',
  path: '',
  access: 'public',
  summary: '',
}

/** The same of an endpoint that is only known while running. */
export function readAny(endpoint: Endpoint, input: Readonly<Record<string, unknown>>) {
  return queryOptions({
    queryKey: [endpoint.name, input],
    queryFn: ({ signal }) => callAny(endpoint, input, { signal }),
  })
}

/** The same of a list that is only known while running. */
export function readList(endpoint: Endpoint, input: Readonly<Record<string, unknown>>) {
  return { ...readAny(endpoint, input), select: asList }
}

/** What a list call gives, whatever its rows are. */
const asList = (answer: unknown) => answer as ListResult<unknown>

/** Reads from the server; `every` polls in milliseconds, `keep` shows the old answer while a changed input loads. */
export function useRead<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: { enabled?: boolean; every?: number; keep?: boolean } = {},
): UseQueryResult<OutputOf<E>> {
  return useQuery({
    ...read(endpoint, input),
    enabled: options.enabled ?? true,
    ...(options.every === undefined ? {} : { refetchInterval: options.every }),
    ...(options.keep ? { placeholderData: keepPreviousData } : {}),
  })
}

/** The feature that an endpoint belongs to. */
export function featureOf(endpointName: string): string {
  return endpointName.split('.', 1)[0] ?? endpointName
}

/** Says that everything read of these features may have changed. */
export function invalidateFeatures(
  features: readonly string[],
  client: QueryClient = queryClient,
): Promise<void> {
  return client.invalidateQueries({
    predicate: (query) => {
      const name = query.queryKey[0]
      const also = query.meta?.['live']
      return (
        (typeof name === 'string' && features.includes(featureOf(name))) ||
        (Array.isArray(also) && also.some((feature) => features.includes(feature)))
      )
    },
  })
}

/** A call that changes something; afterwards its feature, and those of `invalidates`, are read anew. */
export function useChangeCall<E extends Endpoint>(
  endpoint: E,
  options: {
    invalidates?: readonly string[]
    onDone?: (data: OutputOf<E>, input: InputOf<E>) => void
    onFailed?: (error: Error) => void
  } = {},
) {
  const client = useQueryClient()
  return useMutation<OutputOf<E>, Error, InputOf<E>>({
    mutationFn: (input) => call(endpoint, input, { idempotencyKey: randomKey() }),
    onSuccess: (data, input) => {
      void invalidateFeatures([featureOf(endpoint.name), ...(options.invalidates ?? [])], client)
      options.onDone?.(data, input)
    },
    onError: (error) => options.onFailed?.(error),
  })
}
