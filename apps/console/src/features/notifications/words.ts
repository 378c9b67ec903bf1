import type { Notification } from '@weft/contract/notifications/schema'
import { rightText } from '../../kit/rights/right-text.ts'
import { formatsOf } from '../../lib/formats.ts'
import { isolate } from '../../lib/i18n/isolate.ts'
import { currentLanguage } from '../../lib/i18n/languages.ts'
import { firstText, text, type Params } from '../../lib/i18n/texts.ts'
import { deviceOf } from '../own/sessions/device.ts'

/** What a notification says: a title, and a sentence on it. */
export interface Words {
  title: string
  detail: string
}

/** A notification in the reader's language; the server sends its kind and params only. */
export function wordsOf({ kind, params }: Pick<Notification, 'kind' | 'params'>): Words {
  const filled = isolated(paramsOf(kind, params))
  return {
    title: text(`notifications:kinds.${kind}`, filled),
    detail: [text(`notifications:details.${kind}`, filled), noteOf(filled)].filter(Boolean).join(' · '),
  }
}

/** Every name and note on its own, whatever its direction. */
function isolated(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && value !== '' ? isolate(value) : value,
    ]),
  )
}

function noteOf({ note }: Params): string {
  return typeof note === 'string' ? note : ''
}

function paramsOf(kind: Notification['kind'], params: Notification['params']): Params {
  const given = (name: string) => String(params[name] ?? '')
  if (kind === 'access.requested')
    return { ...params, right: rightText({ action: given('action'), subject: given('subject') }) }
  if (kind === 'maintenance.announced')
    return { ...params, at: formatsOf(currentLanguage.get().code).dateTime(given('at')) }
  if (kind === 'import.finished' || kind === 'bulk.finished' || kind === 'bulk.failed') {
    const records = given('records')
    // Those that were told before rejected rows were counted apart say nothing of them.
    return { refused: 0, ...params, records: firstText([`notifications:records.${records}`]) ?? records }
  }
  if (kind === 'signIn.newDevice') {
    const { browser, system } = deviceOf(given('device'))
    if (browser === null || system === null) return params
    return { ...params, device: text('notifications:device', isolated({ browser, system })) }
  }
  if (kind.startsWith('proxy.')) return { ...params, count: Number(params['proxies'] ?? 1) }
  if (kind === 'campaign.stalled') return { ...params, count: Number(params['minutes'] ?? 0) }
  if (kind === 'role.changed') return { ...params, roles: given('roles') || text('notifications:noRoles') }
  return params
}

/** Where a notification leads, if it is about a record that has a page. */
export function placeOf({
  kind,
  feature,
  recordId,
  params,
}: Pick<Notification, 'kind' | 'feature' | 'recordId' | 'params'>): string | null {
  if (!feature || !recordId) return null
  if (feature === 'questions') return `/cms/campaign/questions/${recordId}`
  if (feature === 'campaigns') return `/cms/campaign/info/${recordId}`
  // Neither has a page of its own; what it changed has.
  if (feature === 'imports' || feature === 'bulks') return `/cms/resource/${params['records']}`
  if (feature === 'workflows')
    return `/cms/workflow/editor/${recordId}?tab=comments${params['thread'] ? `&thread=${params['thread']}` : ''}`
  // Whoever is to sign in finds the account at the desk for that.
  if (feature === 'accounts')
    return kind === 'account.needsSignIn'
      ? '/cms/resource/sign-in-desk'
      : `/cms/resource/accounts/${recordId}`
  if (feature === 'clients') return `/cms/resource/clients/${recordId}`
  if (feature === 'proxies') return `/cms/resource/proxies/${recordId}`
  if (feature === 'users') return `/cms/user/info/${recordId}`
  if (feature === 'sessions') return '/cms/user/settings'
  return null
}

/** Neighbours of the same kind, together: a night's worth of lost clients is one line to look at. */
export function grouped<T extends Pick<Notification, 'kind'>>(entries: readonly T[]): T[][] {
  const groups: T[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last?.[0]?.kind === entry.kind) last.push(entry)
    else groups.push([entry])
  }
  return groups
}
