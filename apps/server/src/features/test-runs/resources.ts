import type { TestResources } from '@weft/contract/test-runs/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { findRecord } from '../../kit/record.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { accountResource } from '../accounts/resource.ts'
import type { AccountRow } from '../accounts/table.ts'
import { proxyFor } from '../attended-runs/open.ts'
import { phoneResource } from '../phones/resource.ts'
import type { PhoneRow } from '../phones/table.ts'
import { profileResource } from '../profiles/resource.ts'
import type { ProfileRow } from '../profiles/table.ts'
import { proxyResource } from '../proxies/resource.ts'
import type { WantedLease } from '../runs/take-leases.ts'
import { videoResource } from '../videos/resource.ts'
import type { VideoRow } from '../videos/table.ts'

/** What a test run works with: each found, and allowed to whoever starts it. */
export interface Chosen {
  account: AccountRow | null
  profile: ProfileRow | null
  proxy: { id: string; slot: number } | null
  phone: PhoneRow | null
  video: VideoRow | null
}

/**
 * Finds what was chosen. As in a campaign, an account brings its profile and its proxy along, and a profile its proxy; a
 * proxy that cannot be used is never gone round.
 */
export async function chooseResources(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  { accountId, profileId, proxyId, phoneId, videoId }: TestResources,
): Promise<Chosen> {
  const account = await usable('accountId', accountId, (id) =>
    findRecord(ctx, sourceOf(accountResource), id, 'RUN'),
  )
  const profile = await usable('profileId', profileId ?? account?.profileId, (id) =>
    findRecord(ctx, sourceOf(profileResource), id, 'RUN'),
  )
  await usable('proxyId', proxyId, (id) => findRecord(ctx, sourceOf(proxyResource), id, 'RUN'))
  const proxy = await proxyFor(ctx, proxyId ?? account?.proxyId ?? profile?.proxyId ?? null)
  const phone = await usable('phoneId', phoneId, (id) => findRecord(ctx, sourceOf(phoneResource), id, 'RUN'))
  const video = await usable('videoId', videoId, (id) => findRecord(ctx, sourceOf(videoResource), id, 'RUN'))
  return { account, profile, proxy, phone, video }
}

/** A record by its id, if one was named; what is not there for this person is told by its field. */
async function usable<T>(
  field: keyof TestResources,
  id: string | null | undefined,
  find: (id: string) => Promise<T>,
): Promise<T | null> {
  if (id === undefined || id === null) return null
  try {
    return await find(id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'record.not_found')
      throw new AppError('link.not_found', { field: `resources.${field}` })
    throw error
  }
}

/** What the run holds for as long as it lasts. Of a proxy without a capacity there is nothing to hold. */
export function leasesOf({ account, profile, proxy, phone, video }: Chosen): WantedLease[] {
  const wanted: (WantedLease | null)[] = [
    account && { kind: 'account', resource: account.id, slot: 0, name: account.username },
    profile && { kind: 'profile', resource: profile.id, slot: 0, name: profile.name },
    proxy && proxy.slot >= 0 ? { kind: 'proxy', resource: proxy.id, slot: proxy.slot, name: 'proxy' } : null,
    phone && { kind: 'phone', resource: phone.id, slot: 0, name: phone.phoneNumber },
    video && { kind: 'video', resource: video.id, slot: 0, name: video.title },
  ]
  return wanted.filter((lease) => lease !== null)
}
