import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { profiles } from '@weft/contract/profiles/api'
import type { profileSchema } from '@weft/contract/profiles/schema'
import { defineResource, idsOf, linkTo, scopeColumns } from '../../kit/resource/definition.ts'
import { commonView, oneOf } from '../../kit/resource/view.ts'
import { account } from '../accounts/table.ts'
import { device } from '../devices/table.ts'
import {
  leaseColumn,
  leaseView,
  shownStatus,
  statusFilter,
  usedBy,
  usesOf,
  type Reference,
} from '../holds.ts'
import { proxy } from '../proxies/table.ts'
import { profile, type ProfileRow } from './table.ts'

const accountsOf: Reference = {
  feature: 'accounts',
  subject: 'ACCOUNT',
  table: account,
  column: account.profileId,
  name: account.username,
}
const use = { attachable: 'profiles', leased: 'profile', references: [accountsOf] } as const
const hold = { kind: 'profile', shown: 'leased', from: ['empty', 'ready'] } satisfies {
  kind: 'profile'
  shown: ProfileRow['status']
  from: ProfileRow['status'][]
}
const lease = leaseColumn('profile', profile)
const furtherValues = z.object({
  deviceName: z.string().nullable(),
  snapshot: z.object({ size: z.number(), at: z.iso.datetime({ offset: true }) }).nullable(),
})

/** Profiles, for the general calls of resources. */
export const profileResource = defineResource<
  typeof profile,
  z.input<typeof profileSchema>,
  z.output<typeof profiles.create.input>
>({
  feature: 'profiles',
  subject: 'PROFILE',
  table: profile,
  search: profile.search,
  sort: {
    name: profile.name,
    browserType: [profile.browserType, profile.createdAt],
    status: [profile.status, profile.createdAt],
  },
  defaultSort: { by: 'createdAt', desc: true },
  filter: (input) => [
    oneOf(profile.browserType, input['browserType']),
    statusFilter(hold, profile, input['status']),
    Array.isArray(input['deviceType']) && input['deviceType'].length > 0
      ? sql`${profile.deviceId} in (select id from device where kind = any(${sql.param(input['deviceType'])}::text[]))`
      : undefined,
  ],
  extras: {
    lease,
    deviceName: sql`(select d.name from device d where d.id = ${profile.deviceId})`,
    // Of the sessions that it keeps, the one saved last.
    snapshot: sql`(select json_build_object('size', f.size, 'at', s.saved_at) from profile_session s
      join file f on f.id = s.file_id where s.profile_id = ${profile.id} order by s.saved_at desc limit 1)`,
  },
  lease,
  name: profile.name,
  plain: ['name', 'browserType', 'deviceId', 'locale', 'timeZone', 'proxyId', 'startUrls'],
  secrets: [],
  links: [
    linkTo('proxyId', { table: proxy, subject: 'PROXY' }),
    {
      field: 'deviceId',
      visible: (ctx, ids) =>
        idsOf(
          ctx.tx,
          sql`select id from ${device} where ${device.id} = any(${sql.param([...ids])}::uuid[])
            and ${ctx.scope('VIEW', 'DEVICE', scopeColumns(device))}`,
        ),
    },
  ],
  identity: {
    field: 'name',
    ofRow: sql`lower(${profile.name})`,
    ofInput: ({ name }) => name.toLowerCase(),
  },
  uses: (ctx, id) => usesOf(ctx, use, id),
  used: usedBy(profile, use),
  columns: (input) => input,
  present(row, extras, decisions) {
    const held = leaseView(extras)
    const { deviceName, snapshot } = furtherValues.parse(extras)
    return {
      ...commonView(row, 'PROFILE', decisions, {
        leased: held !== null,
        // Whoever may not be shown an account's secrets may not have a browser in hand either.
        actions: decisions.can('REVEAL', 'ACCOUNT')
          ? [{ name: 'openBrowser', action: 'RUN', obstacle: held ? 'record.in_use' : null }]
          : [],
      }),
      name: row.name,
      browserType: row.browserType,
      deviceId: row.deviceId,
      deviceName,
      locale: row.locale,
      timeZone: row.timeZone,
      proxyId: row.proxyId,
      startUrls: row.startUrls,
      status: shownStatus(hold, row.status, held),
      snapshot: snapshot && { size: snapshot.size, at: new Date(snapshot.at).toISOString() },
      homeClientId: row.homeClientId,
      lease: held,
    }
  },
  exported: [
    'name',
    'browserType',
    'deviceId',
    'deviceName',
    'locale',
    'timeZone',
    'proxyId',
    'startUrls',
    'status',
    'tags',
    'notes',
    'createdAt',
    'updatedAt',
    'id',
  ],
  imported: { schema: profiles.create.input },
})
