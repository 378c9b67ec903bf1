import type { z } from 'zod'
import { DEFAULT_AGENT_PARAMS } from '@weft/contract/agents/sessions'
import type { clientSchema } from '@weft/contract/clients/schema'
import type { Decisions } from '../../kit/context.ts'
import { iso } from '../../kit/record.ts'
import type { ClientRow } from './table.ts'

type Connection = z.infer<typeof clientSchema>['connection']

/** Whether a client is heard from, by the time since it last was. */
export function connectionOf(
  row: Pick<ClientRow, 'lastSeenAt' | 'sessionHash' | 'agentState'>,
  now: Date,
): Connection {
  if (!row.lastSeenAt) return 'never'
  const silent = (now.getTime() - row.lastSeenAt.getTime()) / 1000
  // An agent that stops tells so with its last word; nobody need wait until its silence shows.
  if (row.sessionHash === null || row.agentState === 'stopping') return 'offline'
  if (silent > DEFAULT_AGENT_PARAMS.lostSeconds) return 'lost'
  return silent > DEFAULT_AGENT_PARAMS.lateSeconds ? 'late' : 'online'
}

/** A client as the contract describes it; `busy` is the number of its runs that are not over. */
export function presentClient(
  row: ClientRow,
  busy: number,
  decisions: Pick<Decisions, 'can'>,
  now: Date,
): z.input<typeof clientSchema> {
  const connection = connectionOf(row, now)
  const live = connection === 'online' || connection === 'late'
  const admin = row.admin === 'paused' && row.pausedUntil && row.pausedUntil < now ? 'enabled' : row.admin
  const may = (action: 'UPDATE' | 'DELETE') => decisions.can(action, 'CLIENT', row)
  const trashed = row.deletedAt !== null
  const can: string[] = trashed && may('DELETE') ? ['restore', 'purge'] : []
  if (!trashed && may('UPDATE') && admin !== 'revoked') {
    can.push('update')
    can.push(...(admin === 'enabled' ? ['pause', 'drain'] : ['enable']))
  }
  if (!trashed && may('DELETE'))
    can.push(...(admin === 'revoked' ? [] : ['revoke']), ...(busy === 0 ? ['delete'] : []))
  return {
    id: row.id,
    ownerId: row.ownerId,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
    can,
    ...(busy > 0 && may('DELETE') ? { cannot: { delete: 'record.in_use' } } : {}),
    name: row.name,
    labels: row.labels,
    tags: row.tags,
    notes: row.notes,
    clientKey: row.clientKey,
    os: row.os,
    arch: row.arch,
    localIp: row.localIp,
    publicIp: row.publicIp,
    userIns: live ? row.userIns : 0,
    thread: row.thread,
    remaining: live && admin === 'enabled' ? Math.max(0, row.thread - busy) : 0,
    cpu: live ? row.cpu : null,
    mem: live ? row.memMb : null,
    diskFreeMb: row.diskFreeMb,
    agentVersion: row.agentVersion,
    browsers: row.browsers,
    connection,
    work: { busy, slots: row.thread },
    admin,
    adminNote: row.adminNote,
    pausedUntil: iso(row.pausedUntil),
    refusing: row.refusing,
    lastSeenAt: iso(row.lastSeenAt),
  }
}
