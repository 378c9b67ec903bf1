import { sql } from 'drizzle-orm'
import type { AgentParams } from '@weft/contract/agents/sessions'
import type { editorBrowsers } from '@weft/contract/editor-browsers/api'
import { ATTENDED_SECONDS } from '@weft/contract/attended-runs/schema'
import type { ParsedInputOf } from '@weft/contract/core/endpoint'
import type { CallContext } from '../../kit/context.ts'
import { newId } from '../../kit/record.ts'
import type { Offer } from '../campaigns/dispatch/assign.ts'
import { takeLeases } from '../runs/take-leases.ts'
import { chooseResources, leasesOf } from '../test-runs/resources.ts'
import { chooseClient } from './choose-client.ts'

/** What a fresh browser is. */
const FRESH = 'chromium'

/**
 * Makes an attended run for a workflow's editor: with the resources and on a client as a test run of the same person would
 * have them, or with a fresh browser.
 */
export async function openForEditor(
  ctx: CallContext,
  input: ParsedInputOf<typeof editorBrowsers.open>,
  params: AgentParams,
): Promise<Offer> {
  const { workflowId, purpose, url, accountId, profileId } = input
  const chosen = await chooseResources(ctx, { accountId, profileId })
  const { account, profile, proxy } = chosen
  const clientId = await chooseClient(
    ctx,
    {
      clientId: input.clientId,
      homeId: profile?.homeClientId ?? null,
      browserType: profile?.browserType ?? FRESH,
    },
    params,
  )
  const runId = newId()
  await ctx.tx.execute(sql`
    insert into run (id, owner_id, attempt, fence, client_id, account_id, held_until)
    values (${runId}, ${ctx.user.id}, 1, 1, ${clientId}, ${account?.id ?? null}::uuid,
      now() + make_interval(secs => ${params.offerSeconds}))`)
  await ctx.tx.execute(sql`
    insert into attended_run (run_id, purpose, workflow_id, account_id, profile_id, proxy_id, url, opened_by, holder_id, seconds)
    values (${runId}, ${purpose}, ${workflowId}, ${account?.id ?? null}::uuid, ${profile?.id ?? null}::uuid,
      ${proxy?.id ?? null}::uuid, ${url}, ${ctx.user.id}, ${ctx.user.id}, ${ATTENDED_SECONDS.first})`)
  await takeLeases(ctx.tx, runId, leasesOf(chosen))
  return { runId, clientId, attempt: 1, fence: 1 }
}
