import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Diagnosis } from '@weft/contract/clients/schema'
import type { Tx } from '../../db/connection.ts'
import { connectionOf } from './present.ts'
import type { ClientRow } from './table.ts'

const LITTLE_DISK_MB = 5_000
const NO_DISK_MB = 500
/** Of its last runs, so many may fail before it is worth a look. */
const SOME_FAIL = 0.2
const MOST_FAIL = 0.6

/** How the last runs of a client went. */
export interface RecentResults {
  finished: number
  failed: number
  /** The error that came most often. */
  error: string | null
}

type About = Pick<
  ClientRow,
  | 'lastSeenAt'
  | 'sessionHash'
  | 'agentState'
  | 'admin'
  | 'adminNote'
  | 'pausedUntil'
  | 'refusing'
  | 'agentVersion'
  | 'browsers'
  | 'diskFreeMb'
  | 'thread'
>

const row = z.object({ finished: z.number(), failed: z.number(), error: z.string().nullable() })

/** The last fifty runs of a client that are over. */
export async function recentResults(tx: Tx, clientId: string): Promise<RecentResults> {
  const { rows } = await tx.execute(sql`
    with last as (select result, error from run where client_id = ${clientId} and finished_at is not null
      order by queued_at desc limit 50)
    select count(*)::int as finished, count(*) filter (where result in ('failed', 'timed_out', 'lost'))::int as failed,
      mode() within group (order by error ->> 'class') as error
    from last`)
  return row.parse(rows[0])
}

/** What may keep a client from doing its work: each thing that is looked at, and how it stands. */
export function diagnose(
  about: About,
  known: { now: Date; version: string; busy: number; recent: RecentResults },
): Diagnosis[] {
  const connection = connectionOf(about, known.now)
  const paused = about.admin === 'paused' && !(about.pausedUntil && about.pausedUntil < known.now)
  const working = about.admin === 'enabled' || (about.admin === 'paused' && !paused)
  const finding = (id: Diagnosis['id'], state: Diagnosis['state'], params: Diagnosis['params'] = {}) => ({
    id,
    state,
    params,
  })
  return [
    finding('connection', connection === 'online' ? 'good' : connection === 'late' ? 'notice' : 'bad', {
      connection,
    }),
    finding('admin', working ? 'good' : about.admin === 'revoked' ? 'bad' : 'notice', {
      admin: working ? 'enabled' : about.admin,
      note: about.adminNote,
    }),
    finding('refusing', about.refusing === null ? 'good' : 'bad', { reason: about.refusing }),
    version(about.agentVersion, known.version),
    finding('browsers', about.browsers.length > 0 ? 'good' : about.lastSeenAt ? 'bad' : 'unknown', {
      count: about.browsers.length,
    }),
    disk(about.diskFreeMb),
    finding('slots', known.busy < about.thread ? 'good' : 'notice', {
      busy: known.busy,
      slots: about.thread,
    }),
    failures(known.recent),
  ]
}

function version(agent: string | null, server: string): Diagnosis {
  const state = agent === null ? 'unknown' : agent === server ? 'good' : 'notice'
  return { id: 'version', state, params: { agent, server } }
}

function disk(freeMb: number | null): Diagnosis {
  const params = { megabytes: freeMb }
  if (freeMb === null) return { id: 'disk', state: 'unknown', params }
  return {
    id: 'disk',
    state: freeMb < NO_DISK_MB ? 'bad' : freeMb < LITTLE_DISK_MB ? 'notice' : 'good',
    params,
  }
}

function failures({ finished, failed, error }: RecentResults): Diagnosis {
  const share = finished === 0 ? 0 : failed / finished
  const state =
    finished === 0 ? 'unknown' : share >= MOST_FAIL ? 'bad' : share >= SOME_FAIL ? 'notice' : 'good'
  return { id: 'failures', state, params: { failed, finished, error } }
}
