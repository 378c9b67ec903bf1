import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tally } from '@weft/contract/campaigns/schema'
import type { CampaignEvent } from '@weft/contract/campaigns/states'
import type { Tx } from '../../kit/context.ts'
import { anyOf } from '../../kit/recordset.ts'
import { notify } from '../notifications/notify.ts'
import type { CampaignRow } from './table.ts'

/** Tells a campaign's owner how it ended, or that its errors stopped it. Anything else they see when they look. */
export async function tellOwner(
  tx: Tx,
  { id, ownerId, title }: Pick<CampaignRow, 'id' | 'ownerId' | 'title'>,
  event: CampaignEvent,
  { done, failed }: Tally,
): Promise<void> {
  const about = { feature: 'campaigns', id } as const
  const campaign = title
  if (event === 'finish')
    await notify(tx, ownerId, { kind: 'campaign.finished', params: { campaign, done }, about })
  if (event === 'finishWithErrors')
    await notify(tx, ownerId, {
      kind: 'campaign.finishedWithErrors',
      params: { campaign, done, failed },
      about,
    })
  if (event === 'pause')
    await notify(tx, ownerId, { kind: 'campaign.stoppedByErrors', params: { campaign, failed }, about })
}

const ownedRow = z.object({ id: z.string(), owner_id: z.string().nullable(), title: z.string() })

/** Tells the owners of campaigns that items of theirs wait for a person's decision. */
export async function tellUncertain(tx: Tx, campaignIds: readonly string[]): Promise<void> {
  const { rows } = await tx.execute(
    sql`select id, owner_id, title from campaign where id = ${anyOf(campaignIds)} order by id`,
  )
  for (const { id, owner_id, title } of z.array(ownedRow).parse(rows))
    await notify(tx, owner_id, {
      kind: 'item.uncertain',
      params: { campaign: title },
      about: { feature: 'campaigns', id },
    })
}
