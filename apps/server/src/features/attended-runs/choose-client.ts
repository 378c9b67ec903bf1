import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { AgentParams } from '@weft/contract/agents/sessions'
import type { ErrorCode } from '@weft/contract/errors'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { client } from '../clients/table.ts'
import { busyWith } from './busy-with.ts'

const row = z.object({
  id: z.string(),
  there: z.boolean(),
  works: z.boolean(),
  browser: z.boolean(),
  free: z.number(),
})
type Candidate = z.infer<typeof row>

/** Only these show their pictures to a person. */
const SHOWING = ['chromium', 'chrome', 'edge']

/**
 * The client on which a person's run is done: the one that was named, or one of those the person may run; the profile's home
 * first, then the one with most room. It is locked until the end of the transaction, and its room counted then, so that no
 * slot is given twice.
 */
export async function chooseClient(
  ctx: Pick<CallContext, 'tx' | 'scope' | 'user'>,
  wanted: {
    clientId: string | undefined
    homeId: string | null
    /** The browser that is to be shown; null where none is, and any client will do. */
    browserType: string | null
  },
  params: AgentParams,
): Promise<string> {
  const { browserType } = wanted
  if (browserType !== null && !SHOWING.includes(browserType)) throw new AppError('attended.no_browser')
  const { rows } = await ctx.tx.execute(sql`
    select ${client.id} as id,
      ${client.sessionHash} is not null and ${client.lastSeenAt} > now() - make_interval(secs => ${params.lateSeconds}) as there,
      (${client.admin} = 'enabled' or (${client.admin} = 'paused' and ${client.pausedUntil} < now()))
        and ${client.agentState} = 'running' and ${client.refusing} is null as works,
      ${browserType === null} or exists (select 1 from jsonb_array_elements(${client.browsers}) b
        where b ->> 'type' = any(${sql.param(SHOWING)}::text[])) as browser,
      ${client.thread} - (select count(*) from run r where r.client_id = ${client.id} and r.finished_at is null)::int as free
    from ${client}
    where ${client.deletedAt} is null and ${client.admin} <> 'revoked' and ${ctx.scope('RUN', 'CLIENT', scopeColumns(client))}
      and ${wanted.clientId === undefined ? sql`true` : sql`${client.id} = ${wanted.clientId}`}
    order by ${client.id} = ${wanted.homeId}::uuid desc nulls last, free desc limit 500`)
  const all = rows.map((raw) => row.parse(raw))
  if (wanted.clientId !== undefined && all.length === 0)
    throw new AppError('link.not_found', { field: 'clientId' })
  const none = browserType === null ? 'testRun.no_client' : 'attended.no_client'
  const equipped = able(all, none)
  for (const { id } of equipped.filter(({ free }) => free > 0)) {
    await ctx.tx.execute(sql`select 1 from client where id = ${id} for update`)
    // A statement of its own: it sees what was begun while the lock was waited for.
    const counted = await ctx.tx.execute(sql`
      select c.thread - (select count(*) from run r where r.client_id = c.id and r.finished_at is null)::int as free
      from client c where c.id = ${id}`)
    if (room.parse(counted.rows[0]).free > 0) return id
  }
  throw await busyWith(ctx, equipped)
}

const room = z.object({ free: z.number() })

/** Those that can, in their order; where none can, what the nearest of them lacks. */
function able(all: readonly Candidate[], none: ErrorCode): Candidate[] {
  const working = all.filter(({ there, works }) => there && works)
  if (working.length === 0) throw new AppError(none)
  const equipped = working.filter(({ browser }) => browser)
  if (equipped.length === 0) throw new AppError('attended.no_browser')
  return equipped
}
