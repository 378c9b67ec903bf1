import { sql } from 'drizzle-orm'
import type { AgentParams } from '@weft/contract/agents/sessions'
import { ATTENDED_SECONDS } from '@weft/contract/attended-runs/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { findRecord, newId } from '../../kit/record.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { accountResource } from '../accounts/resource.ts'
import type { AccountRow } from '../accounts/table.ts'
import type { Offer } from '../campaigns/dispatch/assign.ts'
import { proxyBlock, proxyFacts } from '../campaigns/dispatch/proxies.ts'
import { profileResource } from '../profiles/resource.ts'
import type { ProfileRow } from '../profiles/table.ts'
import { takeLeases, type WantedLease } from '../runs/take-leases.ts'
import { chooseClient } from './choose-client.ts'
import { checkMayHold } from './view.ts'

/** What is to be opened, as the call names it. */
export interface OpenInput {
  accountId?: string | undefined
  profileId?: string | undefined
  clientId?: string | undefined
  url?: string | undefined
}

/** Where the known sites are; others are told by the account or the person. */
const HOMES: Partial<Record<AccountRow['type'], string>> = {
  facebook: 'https://www.facebook.com/',
  instagram: 'https://www.instagram.com/',
  youtube: 'https://www.youtube.com/',
  tiktok: 'https://www.tiktok.com/',
  x: 'https://x.com/',
  google: 'https://accounts.google.com/',
}

/** Makes an attended run: chooses its client, holds account, profile and proxy for it, and gives the offer to tell. */
export async function openAttended(ctx: CallContext, input: OpenInput, params: AgentParams): Promise<Offer> {
  const { account, profile } = await whatToOpen(ctx, input)
  await checkMayHold(ctx, { accountId: account?.id ?? null, profileId: profile.id })
  const url = input.url ?? addressOf(account, profile)
  if (url === undefined) throw new AppError('attended.no_address')
  const proxy = await proxyFor(ctx, account?.proxyId ?? profile.proxyId)
  const clientId = await chooseClient(
    ctx,
    { clientId: input.clientId, homeId: profile.homeClientId, browserType: profile.browserType },
    params,
  )
  const runId = newId()
  await ctx.tx.execute(sql`
    insert into run (id, owner_id, attempt, fence, client_id, account_id, held_until)
    values (${runId}, ${(account ?? profile).ownerId}::uuid, 1, 1, ${clientId}, ${account?.id ?? null}::uuid,
      now() + make_interval(secs => ${params.offerSeconds}))`)
  await ctx.tx.execute(sql`
    insert into attended_run (run_id, account_id, profile_id, proxy_id, url, opened_by, holder_id, seconds)
    values (${runId}, ${account?.id ?? null}::uuid, ${profile.id}, ${proxy?.id ?? null}::uuid, ${url}, ${ctx.user.id},
      ${ctx.user.id}, ${ATTENDED_SECONDS.first})`)
  await takeLeases(ctx.tx, runId, leasesOf({ account, profile, proxy }))
  return { runId, clientId, attempt: 1, fence: 1 }
}

async function whatToOpen(
  ctx: CallContext,
  { accountId, profileId }: OpenInput,
): Promise<{ account: AccountRow | null; profile: ProfileRow }> {
  const account =
    accountId === undefined ? null : await findRecord(ctx, sourceOf(accountResource), accountId, 'REVEAL')
  const id = profileId ?? account?.profileId
  if (account && !id) throw new AppError('attended.no_profile')
  if (!id)
    throw new AppError(
      'request.invalid',
      {},
      { errors: [{ path: 'accountId', code: 'required', message: 'Name an account or a profile' }] },
    )
  return { account, profile: await findRecord(ctx, sourceOf(profileResource), id, 'RUN') }
}

/** Where to begin: what the profile or the account says, or the home of a known site. */
function addressOf(account: AccountRow | null, profile: ProfileRow): string | undefined {
  const [start] = profile.startUrls
  if (start !== undefined) return start
  const [domain] = account?.allowedDomains ?? []
  if (domain !== undefined) return `https://${domain.replace(/^\*\./, '')}/`
  return account ? HOMES[account.type] : undefined
}

/** The proxy that a run of a person goes through, and the slot of it that is free; -1 where it has no capacity. */
export async function proxyFor(
  ctx: Pick<CallContext, 'tx'>,
  id: string | null,
): Promise<{ id: string; slot: number } | null> {
  if (id === null) return null
  const facts = (await proxyFacts(ctx.tx, [id])).get(id)
  // A proxy that is gone must not be gone round.
  if (!facts || proxyBlock(facts)) throw new AppError('attended.proxy_unusable', { name: facts?.name ?? '?' })
  return { id, slot: facts.slots?.[0] ?? -1 }
}

/** What the run holds. Without a capacity of the proxy there is nothing to hold of it. */
function leasesOf({
  account,
  profile,
  proxy,
}: {
  account: AccountRow | null
  profile: ProfileRow
  proxy: { id: string; slot: number } | null
}): WantedLease[] {
  return [
    ...(account ? [{ kind: 'account' as const, resource: account.id, slot: 0, name: account.username }] : []),
    { kind: 'profile' as const, resource: profile.id, slot: 0, name: profile.name },
    ...(proxy && proxy.slot >= 0
      ? [{ kind: 'proxy' as const, resource: proxy.id, slot: proxy.slot, name: 'proxy' }]
      : []),
  ]
}
