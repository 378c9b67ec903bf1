import { sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { accounts } from '@weft/contract/accounts/api'
import { NO_LIMITS, type accountSchema } from '@weft/contract/accounts/schema'
import { iso } from '../../kit/record.ts'
import { defineResource, linkTo } from '../../kit/resource/definition.ts'
import { commonView, oneOf } from '../../kit/resource/view.ts'
import { leaseColumn, leaseView, shownStatus, statusFilter, usedBy, usesOf } from '../holds.ts'
import { phone } from '../phones/table.ts'
import { profile } from '../profiles/table.ts'
import { proxy } from '../proxies/table.ts'
import { account, type AccountRow } from './table.ts'

const use = { attachable: 'accounts', leased: 'account' } as const
const hold = { kind: 'account', shown: 'in_use', from: ['new', 'ready'] } satisfies {
  kind: 'account'
  shown: AccountRow['status']
  from: AccountRow['status'][]
}
const lease = leaseColumn('account', account)

/** Accounts, for the general calls of resources. */
export const accountResource = defineResource<
  typeof account,
  z.input<typeof accountSchema>,
  z.output<typeof accounts.create.input>
>({
  feature: 'accounts',
  subject: 'ACCOUNT',
  table: account,
  search: account.search,
  sort: {
    username: account.username,
    type: [account.type, account.createdAt],
    status: [account.status, account.createdAt],
    channelName: account.channelName,
    lastUsedAt: account.lastUsedAt,
  },
  defaultSort: { by: 'createdAt', desc: true },
  filter: (input) => [
    oneOf(account.type, input['accountType']),
    statusFilter(hold, account, input['accountStatus']),
  ],
  extras: { lease },
  lease,
  name: account.username,
  plain: [
    'username',
    'displayName',
    'email',
    'channelName',
    'profileId',
    'proxyId',
    'phoneId',
    'allowedDomains',
    'status',
  ],
  secrets: ['password', 'totpSeed', 'recoveryCodes'],
  follows: {
    fields: ['status'],
    of({ password, totpSeed, status }): Readonly<Record<string, SQL>> {
      if (!(password || totpSeed) || status !== undefined) return {}
      return {
        status: sql`case ${account.status} when 'needs_sign_in' then 'ready' else ${account.status} end`,
      }
    },
  },
  links: [
    linkTo('profileId', { table: profile, subject: 'PROFILE' }),
    linkTo('proxyId', { table: proxy, subject: 'PROXY' }),
    linkTo('phoneId', { table: phone, subject: 'PHONE' }),
  ],
  identity: {
    constraint: 'account_identity',
    field: 'username',
    ofRow: sql`${account.type} || ' ' || lower(${account.username})`,
    ofInput: ({ type, username }) => `${type} ${username.toLowerCase()}`,
  },
  uses: (ctx, id) => usesOf(ctx, use, id),
  used: usedBy(account, use),
  columns: ({ password, totpSeed, recoveryCodes: _codes, limits, ...plain }, before) => ({
    ...(limits ? { limits: { ...NO_LIMITS, ...before?.limits, ...limits } } : {}),
    ...(before?.status === 'needs_sign_in' && (password || totpSeed) ? { status: 'ready' as const } : {}),
    ...plain,
  }),
  present(row, extras, decisions) {
    const held = leaseView(extras)
    return {
      ...commonView(row, 'ACCOUNT', decisions, {
        leased: held !== null,
        actions: [
          { name: 'reveal', action: 'REVEAL' },
          {
            name: 'openBrowser',
            action: 'REVEAL',
            obstacle: held ? 'record.in_use' : row.profileId === null ? 'attended.no_profile' : null,
          },
        ],
      }),
      type: row.type,
      username: row.username,
      displayName: row.displayName,
      email: row.email,
      channelName: row.channelName,
      profileId: row.profileId,
      proxyId: row.proxyId,
      phoneId: row.phoneId,
      allowedDomains: row.allowedDomains,
      limits: { ...NO_LIMITS, ...row.limits },
      ownership: row.ownership,
      status: shownStatus(hold, row.status, held),
      password: { set: row.password !== null },
      totpSeed: { set: row.totpSeed !== null },
      recoveryCodes: { set: row.recoveryCodes !== null },
      lastUsedAt: iso(row.lastUsedAt),
      lastError: row.lastError,
      coolingUntil: iso(row.coolingUntil),
      lease: held,
    }
  },
  exported: [
    'type',
    'username',
    'displayName',
    'email',
    'channelName',
    'status',
    'profileId',
    'proxyId',
    'phoneId',
    'allowedDomains',
    'limits.perDay',
    'limits.perHour',
    'limits.cooldownMinutes',
    'limits.quietHours',
    'ownership.owner',
    'ownership.attestedAt',
    'tags',
    'notes',
    'lastUsedAt',
    'lastError',
    'createdAt',
    'updatedAt',
    'id',
  ],
  imported: { schema: accounts.create.input },
})
