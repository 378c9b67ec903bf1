import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { proxies } from '@weft/contract/proxies/api'
import type { proxySchema } from '@weft/contract/proxies/schema'
import { iso } from '../../kit/record.ts'
import { defineResource } from '../../kit/resource/definition.ts'
import { commonView, oneOf } from '../../kit/resource/view.ts'
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

/** Proxies, for the general calls of resources. */
export const proxyResource = defineResource<typeof proxy, z.input<typeof proxySchema>, ProxyInput>({
  feature: 'proxies',
  subject: 'PROXY',
  table: proxy,
  search: proxy.search,
  sort: {
    host: proxy.host,
    protocol: proxy.protocol,
    type: proxy.type,
    status: proxy.status,
    latencyMs: proxy.latencyMs,
    checkedAt: proxy.checkedAt,
  },
  defaultSort: { by: 'createdAt', desc: true },
  filter: (input) => [
    oneOf(proxy.proxySource, input['proxySource']),
    oneOf(proxy.protocol, input['protocol']),
    oneOf(proxy.status, input['status']),
  ],
  extras: { lease },
  lease,
  name: proxy.host,
  secrets: ['password'],
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
    return {
      ...plain,
      ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
      ...statusAfter({ ...plain, password, disabled }, before),
    }
  },
  present(row, extras, decisions) {
    const held = leaseView(extras)
    return {
      ...commonView(row, 'PROXY', decisions, { held: held !== null }),
      protocol: row.protocol,
      host: row.host,
      port: row.port,
      username: row.username,
      type: row.type,
      provider: row.provider,
      expiresAt: iso(row.expiresAt),
      capacity: row.capacity,
      proxySource: row.proxySource,
      password: { set: row.password !== null },
      country: row.country,
      city: row.city,
      latencyMs: row.latencyMs,
      exitIp: row.exitIp,
      status: row.status,
      failures: row.failures,
      checkedAt: iso(row.checkedAt),
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
    'exitIp',
    'status',
    'failures',
    'checkedAt',
    'expiresAt',
    'capacity',
    'tags',
    'notes',
    'createdAt',
    'updatedAt',
    'id',
  ],
  imported: { schema: proxies.create.input, lines: proxyLines, columns: { proxySource: 'import' } },
})

const REACHED_BY = ['protocol', 'host', 'port', 'username', 'password'] as const

/** What was known of a proxy does not hold for another address; one that was disabled starts anew when enabled. */
function statusAfter(
  input: Partial<ProxyInput>,
  before: ProxyRow | undefined,
): { status?: ProxyRow['status']; failures?: number } {
  if (input.disabled === true) return { status: 'disabled' }
  if (!before) return { status: 'unverified' }
  if (before.status === 'disabled' && input.disabled !== false) return {}
  const moved = REACHED_BY.some((field) => input[field] !== undefined && input[field] !== before[field])
  return moved || before.status === 'disabled' ? { status: 'unverified', failures: 0 } : {}
}
