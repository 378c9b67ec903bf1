import { useQuery } from '@tanstack/react-query'

/**
 * The address of a picture of a record, for as long as the page stands; undefined where there is none. `version` is what
 * the record says of it, and changes with it.
 */
export function usePicture(
  id: string,
  version: string | null,
  load: (version: string, signal: AbortSignal) => Promise<Response>,
): string | undefined {
  const { data } = useQuery({
    // Under a name of its own, outside of what events read anew: a picture never changes, its version does.
    queryKey: ['picture', id, version],
    queryFn: async ({ signal }) => URL.createObjectURL(await (await load(version ?? '', signal)).blob()),
    enabled: version !== null,
    staleTime: Infinity,
    retry: false,
  })
  return version === null ? undefined : data
}
