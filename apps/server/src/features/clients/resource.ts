import { eq, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { DEFAULT_AGENT_PARAMS } from '@weft/contract/agents/sessions'
import { clients } from '@weft/contract/clients/api'
import { ADMIN_STATES, type clientSchema, CONNECTION_STATES } from '@weft/contract/clients/schema'
import { newClientKey } from './client-key.ts'
import { defineResource } from '../../kit/resource/definition.ts'
import { usedBy, usesOf } from '../holds.ts'
import { busyOf } from './admin.ts'
import { presentClient } from './present.ts'
import { client, joinCode } from './table.ts'

const use = { attachable: 'clients' } as const
const busy = sql`(select count(*)::int from run r where r.client_id = ${client.id} and r.finished_at is null)`
const silent = sql`extract(epoch from now() - ${client.lastSeenAt})`

/** The connection states as conditions on a row; `connectionOf` says the same of a row in memory. */
const CONNECTION: Record<(typeof CONNECTION_STATES)[number], SQL> = {
  never: sql`${client.lastSeenAt} is null`,
  offline: sql`${client.lastSeenAt} is not null and (${client.sessionHash} is null
    or ${client.agentState} = 'stopping')`,
  online: sql`${silent} <= ${DEFAULT_AGENT_PARAMS.lateSeconds} and ${client.sessionHash} is not null
    and ${client.agentState} <> 'stopping'`,
  late: sql`${silent} > ${DEFAULT_AGENT_PARAMS.lateSeconds} and ${silent} <= ${DEFAULT_AGENT_PARAMS.lostSeconds}
    and ${client.sessionHash} is not null and ${client.agentState} <> 'stopping'`,
  lost: sql`${silent} > ${DEFAULT_AGENT_PARAMS.lostSeconds} and ${client.sessionHash} is not null
    and ${client.agentState} <> 'stopping'`,
}

const filters = z.object({
  connection: z.array(z.enum(CONNECTION_STATES)).optional(),
  admin: z.array(z.enum(ADMIN_STATES)).optional(),
  tag: z.string().optional(),
})

/** Clients, for the general calls of resources. */
export const clientResource = defineResource<
  typeof client,
  z.input<typeof clientSchema>,
  z.output<typeof clients.create.input> & { thread?: number | undefined }
>({
  feature: 'clients',
  subject: 'CLIENT',
  table: client,
  search: sql`${sql.identifier('client')}.search`,
  sort: {
    name: client.name,
    clientKey: client.clientKey,
    os: [client.os, client.createdAt],
    thread: [client.thread, client.createdAt],
    lastSeenAt: client.lastSeenAt,
  },
  defaultSort: { by: 'name' },
  filter(input) {
    const { connection, admin } = filters.parse(input)
    return [
      connection?.length
        ? sql`(${sql.join(
            connection.map((state) => sql`(${CONNECTION[state]})`),
            sql` or `,
          )})`
        : undefined,
      admin?.length ? inArray(client.admin, admin) : undefined,
    ]
  },
  extras: { busy },
  name: client.name,
  plain: ['name', 'labels'],
  secrets: [],
  links: [],
  uses: (ctx, id) => usesOf(ctx, use, id),
  used: usedBy(client, use),
  toldOf: sql`exists (select 1 from run r where r.client_id = ${client.id})`,
  columns: (input) => input,
  initial: () => ({ clientKey: newClientKey() }),
  async purged({ tx }, { id }) {
    // The code that it joined by is spent, and of no use to anybody else.
    await tx.delete(joinCode).where(eq(joinCode.clientId, id))
  },
  keptBack: async ({ tx }, ids) => new Set((await busyOf(tx, ids)).keys()),
  present: (row, extras, decisions) =>
    presentClient(row, z.number().parse(extras['busy'] ?? 0), decisions, new Date()),
  exported: [
    'clientKey',
    'name',
    'os',
    'localIp',
    'publicIp',
    'userIns',
    'thread',
    'remaining',
    'cpu',
    'mem',
    'arch',
    'agentVersion',
    'connection',
    'admin',
    'labels',
    'tags',
    'notes',
    'lastSeenAt',
    'createdAt',
    'updatedAt',
    'id',
  ],
  imported: { schema: clients.create.input },
})
