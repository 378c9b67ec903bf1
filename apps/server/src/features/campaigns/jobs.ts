import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { systemActor, transact } from '../../kit/work.ts'
import type { Deps } from '../../kit/deps.ts'
import { defineJob } from '../../kit/jobs.ts'
import type { Engine } from '../../engine/engine.ts'
import { begin, release, releaseBatches } from './begin.ts'
import { campaign } from './table.ts'

/** Plans a campaign and writes its ledger; enqueued with the start, for now or for its time. */
export const beginCampaign = defineJob('campaign.begin', z.object({ campaignId: z.uuid() }), {
  retryLimit: 10,
  retryDelaySeconds: 2,
  expireSeconds: 300,
})

/** Makes one batch of planned items ready. */
export const releaseItems = defineJob(
  'campaign.release',
  z.object({ campaignId: z.uuid(), from: z.int(), to: z.int() }),
  { retryLimit: 10, retryDelaySeconds: 1 },
)

/** Handles the campaign jobs, where this process is a worker. */
export function workCampaignJobs(deps: Deps, engine: Engine): void {
  deps.jobs.work(
    beginCampaign,
    async ({ payload: { campaignId } }) => {
      await transact(deps, systemActor('scheduler'), async (work) => {
        const begun = await begin(work.tx, campaignId)
        if (!begun) return
        const { campaign: row } = begun
        work.event({ feature: 'campaigns', id: campaignId, kind: 'updated', ownerId: row.ownerId })
        if ('refused' in begun) {
          work.audit({ feature: 'campaigns', recordId: campaignId, label: `campaign.${begun.refused}` })
          return
        }
        work.audit({
          feature: 'campaigns',
          recordId: campaignId,
          label: 'campaign.begin',
          after: { items: begun.total },
        })
        const batches = releaseBatches(begun.total)
        // The first items need not wait for the queue's next look.
        const [first, ...rest] = batches
        if (first) await release(work.tx, campaignId, first)
        await deps.jobs.enqueueAll(
          work.tx,
          releaseItems,
          rest.map((batch) => ({ campaignId, ...batch })),
        )
        work.afterCommit(() => {
          engine.wake(null)
          deps.jobs.wake(releaseItems.name)
        })
      })
    },
    { pollSeconds: 0.5 },
  )
  deps.jobs.work(
    releaseItems,
    async ({ payload: { campaignId, from, to } }) => {
      await deps.db.transaction((tx) => release(tx, campaignId, { from, to }))
      engine.look(campaignId)
      engine.wake(null)
      // There may be more batches; the next begins now and not at the queue's next look.
      deps.jobs.wake(releaseItems.name)
    },
    { pollSeconds: 0.5 },
  )
}

/** Campaigns that were to begin and whose job is gone are given a new one: the state in the ledger is the truth. */
export async function rescueScheduled(deps: Deps): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const due = await tx
      .select({ id: campaign.id })
      .from(campaign)
      .where(
        sql`${campaign.state} = 'scheduled' and coalesce(${campaign.beginAt}, ${campaign.stateChangedAt}) < now() - interval '1 minute'`,
      )
      .limit(100)
    for (const { id } of due) await deps.jobs.enqueue(tx, beginCampaign, { campaignId: id })
  })
}
