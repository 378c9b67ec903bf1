import type { Endpoint, InputOf, OutputOf } from '@weft/contract/core/endpoint'
import { useChangeCall } from '../../lib/query.ts'
import { toast } from '../toast/toast.ts'

/** A call that changes something: its failure is a toast, its feature is read anew; `done` is said on success. */
export function useChange<E extends Endpoint>(
  endpoint: E,
  options: {
    done?: string
    invalidates?: readonly string[]
    onDone?: (data: OutputOf<E>, input: InputOf<E>) => void
    /** The page shows the failure itself, or those of which this is true. */
    quiet?: boolean | ((failure: Error) => boolean)
  } = {},
) {
  return useChangeCall(endpoint, {
    ...(options.invalidates ? { invalidates: options.invalidates } : {}),
    onDone: (data, input) => {
      if (options.done) toast.success(options.done)
      options.onDone?.(data, input)
    },
    onFailed: (failure) => {
      const { quiet = false } = options
      if (!(typeof quiet === 'boolean' ? quiet : quiet(failure))) toast.failure(failure)
    },
  })
}
