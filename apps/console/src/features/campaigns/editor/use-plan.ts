import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign } from '@weft/contract/campaigns/schema'
import { call } from '../../../lib/api.ts'

/**
 * What a start would do now. A plan of a large campaign costs something, so its key holds what it depends on, instead of
 * being read anew at every change of any campaign.
 */
export function usePlan(campaign: Campaign, enabled: boolean) {
  const { id, version, attached } = campaign
  return useQuery({
    queryKey: ['campaign plan', id, version, attached],
    queryFn: ({ signal }) => call(campaigns.plan, { id }, { signal }),
    enabled,
    // One resource in the place of another leaves the counts as they were: what is known under a key may be old.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}
