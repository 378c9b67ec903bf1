import { sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { proxies } from '@weft/contract/proxies/api'
import {
  PROXY_EXPIRY_WARNING_DAYS,
  PROXY_SUCCESS_GOOD,
  PROXY_SUCCESS_MIXED,
  type proxySchema,
} from '@weft/contract/proxies/schema'
import { fieldError } from '../../kit/app-error.ts'
import { iso } from '../../kit/record.ts'
import { defineResource } from '../../kit/resource/definition.ts'
import { anyWay, commonView, oneOf } from '../../kit/resource/view.ts'
import { account } from '../accounts/table.ts'
import { leaseColumn, leaseView, usedBy, usesOf, type Reference } from '../holds.ts'
import { profile } from '../profiles/table.ts'
import { proxyLines } from './lines.ts'
import { proxy, type ProxyRow } from './table.ts'

type ProxyInput = z.output<typeof proxies.create.input>

const references: readonly Reference[] = [
  {
    feature: 'accounts',
    subject: 'ACCOUNT',
    table: account,
    column: account.proxyId,
    name: account.username,
  },
  { feature: 'profiles', subject: 'PROFILE', table: profile, column: profile.proxyId, name: profile.name },
]
const use = { attachable: 'proxies', leased: 'proxy', references } as const
const lease = leaseColumn('proxy', proxy)
const checking = sql<boolean>`exists (select 1 from proxy_due d where d.proxy_id = ${proxy.id})`

const soon = sql`now() + make_interval(days => ${PROXY_EXPIRY_WARNING_DAYS})`
const EXPIRIES: Readonly<Record<string, SQL>> = {
  expired: sql`${proxy.expiresAt} <= now()`,
  soon: sql`(${proxy.expiresAt} > now() and ${proxy.expiresAt} <= ${soon})`,
  later: sql`${proxy.expiresAt} > ${soon}`,
  never: sql`${proxy.expiresAt} is null`,
}

const ratio = proxy.successRatio24h
const SUCCESSES: Readonly<Record<string, SQL>> = {
  good: sql`${ratio} >= ${PROXY_SUCCESS_GOOD}::real`,
  mixed: sql`(${ratio} >= ${PROXY_SUCCESS_MIXED}::real and ${ratio} < ${PROXY_SUCCESS_GOOD}::real)`,
  bad: sql`${ratio} < ${PROXY_SUCCESS_MIXED}::real`,
  none: sql`${ratio} is null`,
}

const importedSchema = proxies.create.input.superRefine(({ costPerMonth, currency }, context) => {
  if (costPerMonth !== null && currency === null)
    context.addIssue({ code: 'custom', path: ['currency'], message: 'required' })
})

/** What a proxy that is not disabled begins with once it is reached in another way, as `statusAfter` has it. */
const ANEW = {
  status: [proxy.status, sql`'unverified'`],
  failures: [proxy.failures, sql`0`],
  lastError: [proxy.lastError, sql`null`],
  retryAt: [proxy.retryAt, sql`null`],
  checkedAt: [proxy.checkedAt, sql`null`],
  latencyMs: [proxy.latencyMs, sql`null`],
  exitIp: [proxy.exitIp, sql`null`],
  tally: [proxy.tally, sql`'[]'::jsonb`],
  successRatio24h: [proxy.successRatio24h, sql`null`],
  tallyUntil: [proxy.tallyUntil, sql`null`],
} as const

/** Proxies, for the general calls of resources. */
export const proxyResource = defineResource<typeof proxy, z.input<typeof proxySchema>, ProxyInput>({
  feature: 'proxies',
  subject: 'PROXY',
  table: proxy,
  search: proxy.search,
  sort: {
    host: proxy.host,
    protocol: [proxy.protocol, proxy.createdAt],
    type: [proxy.type, proxy.createdAt],
    status: [proxy.status, proxy.createdAt],
    latencyMs: proxy.latencyMs,
    successRatio24h: proxy.successRatio24h,
    checkedAt: proxy.checkedAt,
    expiresAt: proxy.expiresAt,
  },
  defaultSort: { by: 'createdAt', desc: true },
  filter: (input) => [
    oneOf(proxy.proxySource, input['proxySource']),
    oneOf(proxy.protocol, input['protocol']),
    oneOf(proxy.type, input['type']),
    oneOf(proxy.status, input['status']),
    oneOf(proxy.country, input['country']),
    anyWay(EXPIRIES, input['expiry']),
    anyWay(SUCCESSES, input['success']),
  ],
  extras: { lease, checking },
  lease,
  name: proxy.host,
  plain: ['type', 'provider'],
  secrets: ['password'],
  // Only a password is set for many at once; all else that these depend on is looked at record by record.
  follows: {
    fields: Object.keys(ANEW),
    untold: ['tally', 'tallyUntil'],
    of({ password }): Readonly<Record<string, SQL>> {
      if (password === undefined) return {}
      const asBefore = sql`${proxy.status} = 'disabled' or ${password === null}::boolean and ${proxy.password} is null`
      return Object.fromEntries(
        Object.entries(ANEW).map(([field, [column, value]]) => [
          field,
          sql`case when ${asBefore} then ${column} else ${value} end`,
        ]),
      )
    },
  },
  links: [],
  identity: {
    constraint: 'proxy_identity',
    field: 'host',
    ofRow: sql`${proxy.protocol} || ' ' || lower(${proxy.host}) || ' ' || ${proxy.port} || ' ' || coalesce(${proxy.username}, '')`,
    ofInput: ({ protocol, host, port, username }) =>
      `${protocol} ${host.toLowerCase()} ${port} ${username ?? ''}`,
  },
  uses: (ctx, id) => usesOf(ctx, use, id),
  used: usedBy(proxy, use),
  columns({ password, disabled, expiresAt, ...plain }, before) {
    const cost = { costPerMonth: before?.costPerMonth, currency: before?.currency, ...plain }
    if (typeof cost.costPerMonth === 'number' && !cost.currency)
      throw fieldError('currency', 'required', 'Name the currency of the cost')
    return {
      ...plain,
      ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
      ...statusAfter({ ...plain, password, disabled }, before),
    }
  },
  present(row, extras, decisions) {
    const held = leaseView(extras)
    return {
      ...commonView(row, 'PROXY', decisions, {
        leased: held !== null,
        actions: [
          {
            name: 'check',
            action: 'RUN',
            obstacle: row.status === 'disabled' ? 'proxy.disabled' : null,
          },
        ],
      }),
      protocol: row.protocol,
      host: row.host,
      port: row.port,
      username: row.username,
      type: row.type,
      provider: row.provider,
      expiresAt: iso(row.expiresAt),
      costPerMonth: row.costPerMonth,
      currency: row.currency,
      capacity: row.capacity,
      proxySource: row.proxySource,
      password: { set: row.password !== null },
      country: row.country,
      city: row.city,
      latencyMs: row.latencyMs,
      successRatio24h: row.successRatio24h,
      exitIp: row.exitIp,
      status: row.status,
      failures: row.failures,
      lastError: row.lastError,
      checkedAt: iso(row.checkedAt),
      retryAt: iso(row.retryAt),
      checking: extras['checking'] === true,
      lease: held,
    }
  },
  exported: [
    'protocol',
    'host',
    'port',
    'username',
    'type',
    'proxySource',
    'provider',
    'country',
    'city',
    'latencyMs',
    'successRatio24h',
    'exitIp',
    'status',
    'failures',
    'lastError',
    'checkedAt',
    'expiresAt',
    'costPerMonth',
    'currency',
    'capacity',
    'tags',
    'notes',
    'createdAt',
    'updatedAt',
    'id',
  ],
  imported: { schema: importedSchema, lines: proxyLines, columns: { proxySource: 'import' } },
})

const REACHED_BY = ['protocol', 'host', 'port', 'username', 'password'] as const

/**
 * What was known of a proxy does not hold for another address; one that was disabled starts anew when enabled. A city or
 * country that a person wrote stays until a check knows better.
 */
function statusAfter(
  input: Partial<ProxyInput>,
  before: ProxyRow | undefined,
): Partial<Pick<ProxyRow, keyof typeof ANEW>> {
  if (input.disabled === true) return { status: 'disabled', retryAt: null }
  if (!before) return { status: 'unverified' }
  if (before.status === 'disabled' && input.disabled !== false) return {}
  const moved = REACHED_BY.some((field) => input[field] !== undefined && input[field] !== before[field])
  const anew = { status: 'unverified', failures: 0, lastError: null, retryAt: null } as const
  const unseen = { checkedAt: null, latencyMs: null, exitIp: null }
  if (moved) return { ...anew, ...unseen, tally: [], successRatio24h: null, tallyUntil: null }
  return before.status === 'disabled' ? anew : {}
}
