import { bulkSchema } from '@weft/contract/bulks/schema'
import { eachOf } from '../../kit/actions/one-by-one.ts'
import { rememberBulk } from '../../kit/list/bulk/running.ts'
import { callAny } from '../../lib/api.ts'
import { CALLS } from './calls.ts'
import type { Share, Sum } from './shares.ts'

/** Takes back or deletes for good what is chosen, kind by kind; what no hand can delete for good stays. What is refused is counted. */
export async function doMany(shares: readonly Share[], action: 'restore' | 'purge'): Promise<Sum> {
  const sum: Sum = { done: 0, refused: 0, running: false }
  for (const { kind, selection } of shares) {
    const { bulk, restore } = CALLS[kind]
    if (bulk) {
      const begun = bulkSchema.parse(await callAny(bulk, { selection, action }))
      // The page of the kind shows how far it is.
      rememberBulk(kind, begun)
      sum.done += begun.done
      sum.refused += begun.refusedTotal
      sum.running ||= begun.state === 'running'
    } else if (action === 'restore' && 'ids' in selection) {
      const { done, refused } = await eachOf(selection.ids, (id) => callAny(restore, { id }))
      sum.done += done
      sum.refused += refused.length
    }
  }
  return sum
}
