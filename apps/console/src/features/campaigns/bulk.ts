import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign } from '@weft/contract/campaigns/schema'
import type { Selection } from '@weft/contract/core/record'
import type { ActionContext, BulkOutcome } from '../../kit/actions/action.ts'
import { isFailure } from '../../lib/failure.ts'

const PAGE = 1000

/** Does one thing with many campaigns, one after the other; those that refuse are counted and the others go on. */
export async function eachCampaign(
  selection: Selection,
  { call }: ActionContext,
  run: (id: string) => Promise<unknown>,
): Promise<BulkOutcome> {
  const ids = 'ids' in selection ? selection.ids : await idsOf(selection.query, call)
  const outcome: { done: number; refused: string[] } = { done: 0, refused: [] }
  for (const id of ids) {
    try {
      await run(id)
      outcome.done += 1
    } catch (error) {
      if (!isFailure(error) || error.httpStatus === 0 || error.httpStatus === 401) throw error
      outcome.refused.push(id)
    }
  }
  return outcome
}

async function idsOf(query: Record<string, unknown>, call: ActionContext['call']): Promise<string[]> {
  const input = campaigns.list.input.parse({ ...query, perPage: PAGE })
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const answer = await call(campaigns.list, { ...input, page })
    ids.push(...answer.data.map(({ id }: Campaign) => id))
    if (page >= answer.totalPage) return ids
  }
}
