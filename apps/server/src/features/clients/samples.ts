import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Heartbeat } from '@weft/contract/agents/sessions'
import type { ClientLoad } from '@weft/contract/clients/schema'
import type { Tx } from '../../db/connection.ts'

/** Points of a graph: more than this nobody can tell apart. */
const POINTS_MAX = 240
const MINUTE = 60

/** Keeps how a client is, with the first heartbeat of each minute. */
export async function keepSample(
  tx: Tx,
  clientId: string,
  beat: Pick<Heartbeat, 'cpu' | 'memMb' | 'slots'>,
  slots: number,
): Promise<void> {
  // An agent tells of its free slots too.
  const busy = beat.slots.filter(({ runId }) => runId !== null).length
  await tx.execute(sql`
    insert into client_sample (client_id, at, cpu, mem_mb, busy, slots)
    values (${clientId}, date_trunc('minute', now()), ${beat.cpu}, ${beat.memMb}, ${busy}, ${slots})
    on conflict do nothing`)
}

const pointRow = z.object({
  at: z.coerce.date(),
  cpu: z.coerce.number().nullable(),
  mem: z.coerce.number().nullable(),
  busy: z.coerce.number(),
  slots: z.coerce.number(),
})

/** How a client was over the last hours, in stretches long enough that a graph can show them. */
export async function loadOf(
  tx: Tx,
  clientId: string,
  { hours, now }: { hours: number; now: Date },
): Promise<ClientLoad> {
  const stepSeconds = Math.max(1, Math.ceil((hours * 60) / POINTS_MAX)) * MINUTE
  const step = stepSeconds * 1000
  const to = new Date(Math.floor(now.getTime() / step) * step + step)
  const from = new Date(to.getTime() - Math.ceil((hours * 3_600_000) / step) * step)
  const { rows } = await tx.execute(sql`
    select date_bin(make_interval(secs => ${stepSeconds}), at, ${from.toISOString()}::timestamptz) as at,
      avg(cpu) as cpu, avg(mem_mb) as mem, avg(busy) as busy, max(slots) as slots
    from client_sample
    where client_id = ${clientId} and at >= ${from.toISOString()}::timestamptz and at < ${to.toISOString()}::timestamptz
    group by 1 order by 1`)
  const points = rows.map((raw) => {
    const { at, ...figures } = pointRow.parse(raw)
    return { at: at.toISOString(), ...figures }
  })
  return { stepSeconds, from: from.toISOString(), to: to.toISOString(), points }
}
