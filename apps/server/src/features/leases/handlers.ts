import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { leases } from '@weft/contract/leases/api'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord } from '../../kit/record.ts'
import { ownerOf } from '../../kit/resource/change.ts'
import { sourceOf, type ResourceDefinition } from '../../kit/resource/definition.ts'
import type { Engine } from '../../engine/engine.ts'
import { accountResource } from '../accounts/resource.ts'
import { phoneResource } from '../phones/resource.ts'
import { profileResource } from '../profiles/resource.ts'
import { proxyResource } from '../proxies/resource.ts'
import { endRuns } from '../runs/end.ts'
import type { LeasedKind } from '../runs/lease-table.ts'
import { videoResource } from '../videos/resource.ts'

type Leased = Pick<ResourceDefinition, 'feature' | 'subject' | 'table'>

const holderRow = z.object({
  client_id: z.string(),
  campaign_id: z.string().nullable(),
  owner_id: z.string().nullable(),
})

/**
 * Taking a resource from the run that holds it. A lease is its run's, so the run is over with it: all that it holds is
 * free at once, its item goes on as the ledger decides for a lost agent, and its agent, told to stop, is refused whatever
 * it still asks for.
 */
export function leaseHandlers(engine: Engine): Implementation<typeof leases> {
  const release = async (ctx: CallContext, kind: LeasedKind, of: Leased, id: string, runId: string) => {
    const record = await findRecord(ctx, sourceOf(of), id, 'RUN')
    const { rows } = await ctx.tx.execute(sql`
      select r.client_id, r.campaign_id, r.owner_id from run r
      where r.id = ${runId} and r.cycle <> 'finished' and exists (
        select 1 from resource_lease l where l.kind = ${kind} and l.resource_id = ${id} and l.run_id = r.id)
      for update`)
    if (!rows[0]) throw new AppError('lease.gone')
    const holder = holderRow.parse(rows[0])
    const reason = `released by ${ctx.user.username}`
    const error = { class: 'Released', message: `The lease was ${reason}.`, stepId: null, stepName: null }
    const ended = await endRuns(ctx.tx, [
      { runId, result: 'lost', error, outputs: {}, browser: null, accountRejected: false },
    ])
    ctx.audit({ feature: of.feature, recordId: id, before: { runId }, after: { runId: null } })
    ctx.audit({ feature: 'runs', recordId: runId, after: { reason } })
    ctx.event({ feature: of.feature, id, kind: 'updated', ownerId: ownerOf(record) })
    ctx.event({
      feature: 'runs',
      id: runId,
      kind: 'updated',
      parentId: holder.campaign_id,
      ownerId: holder.owner_id,
    })
    ctx.afterCommit(() => {
      engine.ended(ended)
      engine.deliver(holder.client_id, { type: 'cancel', runId, mode: 'now', graceSeconds: 0, reason })
    })
  }
  return {
    releaseAccount: (ctx, { accountId, runId }) => release(ctx, 'account', accountResource, accountId, runId),
    releaseProfile: (ctx, { profileId, runId }) => release(ctx, 'profile', profileResource, profileId, runId),
    releasePhone: (ctx, { phoneId, runId }) => release(ctx, 'phone', phoneResource, phoneId, runId),
    releaseProxy: (ctx, { proxyId, runId }) => release(ctx, 'proxy', proxyResource, proxyId, runId),
    releaseVideo: (ctx, { videoId, runId }) => release(ctx, 'video', videoResource, videoId, runId),
  }
}
