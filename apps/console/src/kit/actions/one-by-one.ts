import { z } from 'zod'
import type { Selection } from '@weft/contract/core/record'
import { callAny } from '../../lib/api.ts'
import { isAway, isFailure } from '../../lib/failure.ts'
import type { ListEndpoint } from '../fields/record-picker.tsx'
import { wantsProof } from '../proof/proof.ts'
import type { BulkOutcome } from './action.ts'

const PAGE = 1000
const page = z.object({ data: z.array(z.object({ id: z.string() })), totalPage: z.number() })

/**
 * Does one thing with many records of a list, one after the other, where there is no call for many; those that refuse are
 * counted and the others go on.
 */
export async function oneByOne(
  list: ListEndpoint,
  selection: Selection,
  run: (id: string) => Promise<unknown>,
): Promise<BulkOutcome> {
  return eachOf('ids' in selection ? selection.ids : await idsOf(list, selection.query), run)
}

/** The same for records that are known by their ids. */
export async function eachOf(
  ids: readonly string[],
  run: (id: string) => Promise<unknown>,
): Promise<{ done: number; refused: string[] }> {
  const outcome: { done: number; refused: string[] } = { done: 0, refused: [] }
  for (const [at, id] of ids.entries()) {
    try {
      await run(id)
      outcome.done += 1
    } catch (error) {
      const cut = !isFailure(error) || isAway(error) || error.httpStatus === 401 || wantsProof(error)
      if (cut && outcome.done === 0) throw error
      // What was done before the line was cut, or a proof refused, is told, and so is how much was not.
      outcome.refused.push(...(cut ? ids.slice(at) : [id]))
      if (cut) break
    }
  }
  return outcome
}

/** The ids of all that match. */
export async function idsOf(list: ListEndpoint, query: Record<string, unknown>): Promise<string[]> {
  const ids: string[] = []
  for (let at = 1; ; at += 1) {
    const { data, totalPage } = page.parse(await callAny(list, { ...query, perPage: PAGE, page: at }))
    ids.push(...data.map(({ id }) => id))
    if (at >= totalPage) return ids
  }
}
