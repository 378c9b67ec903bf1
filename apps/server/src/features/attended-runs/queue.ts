import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { attendedRuns } from '@weft/contract/attended-runs/api'
import type { ParsedInputOf } from '@weft/contract/core/endpoint'
import { PERSON_REASONS, type PersonReason, type WaitingAccount } from '@weft/contract/attended-runs/schema'
import { RUN_CYCLES, RUN_RESULTS } from '@weft/contract/runs/schema'
import type { CallContext, Tx } from '../../kit/context.ts'
import { listOf } from '../../kit/list.ts'
import { anyOf } from '../../kit/recordset.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { account, type AccountRow } from '../accounts/table.ts'
import { stateOf } from './view.ts'

/** A queue is for people: of each reason no more than so many are looked at, the longest waiting. */
const MOST = 5000
/** A session is worth renewing in its last quarter, and never earlier than so long before its end. */
const SOON = sql`interval '3 days'`
/** How long before its end a session is to be renewed. */
export const IN_TIME = sql`least(${SOON}, (s.expires_at - s.saved_at) / 4)`

/** The kept session of an account in its present profile, under its present name. */
const OF_ACCOUNT = sql`s.account_id = ${account.id} and s.profile_id = ${account.profileId}
  and s.username is not distinct from ${account.username}`
/** The kept session `s`, to join accounts with. */
export const SESSION = sql`profile_session s on ${OF_ACCOUNT}`
const ENDS = sql`(select s.expires_at from profile_session s where ${OF_ACCOUNT})`

const REASON = sql<PersonReason>`case when ${account.status} = 'needs_sign_in' then coalesce(${account.personReason}, 'rejected')
  when ${ENDS} <= now() then 'expired' when ${ENDS} <= now() + ${SOON} then 'expiring' else 'first' end`
const SINCE = sql<string>`case when ${account.status} = 'needs_sign_in' then coalesce(${account.personSince}, ${account.updatedAt})
  else coalesce(${ENDS}, ${account.createdAt}) end`

/** Ids of the accounts that need a person, each reason by its own index. */
function waiting(scope: SQL): SQL {
  return sql`${account.id} = any(array(
    (select ${account.id} from ${account} where ${account.status} = 'needs_sign_in' and ${account.deletedAt} is null and ${scope}
      order by ${account.personSince} limit ${sql.raw(String(MOST))})
    union
    (select ${account.id} from ${account} where ${account.status} = 'new' and ${account.password} is null
      and ${account.profileId} is not null and ${account.deletedAt} is null and ${scope}
      order by ${account.createdAt} limit ${sql.raw(String(MOST))})
    union
    (select ${account.id} from profile_session s join ${account} on ${account.id} = s.account_id
      where s.expires_at <= now() + ${SOON} and s.expires_at <= now() + ${IN_TIME} and s.profile_id = ${account.profileId}
        and s.username is not distinct from ${account.username} and ${account.status} in ('new', 'ready', 'needs_sign_in')
        and ${account.deletedAt} is null and ${scope}
      order by s.expires_at limit ${sql.raw(String(MOST))})))`
}

const factsRow = z.object({
  id: z.string(),
  reason: z.enum(PERSON_REASONS),
  since: z.coerce.date(),
  saved_at: z.coerce.date().nullable(),
  profile: z.string().nullable(),
  run_id: z.string().nullable(),
  holder_id: z.string().nullable(),
  holder: z.string().nullable(),
  cycle: z.enum(RUN_CYCLES).nullable(),
  result: z.enum(RUN_RESULTS).nullable(),
  save_asked: z.boolean().nullable(),
  has_frame: z.boolean(),
})

/** The sign-in desk: accounts that need a person, with who is at it now. */
export function queue(ctx: CallContext, input: ParsedInputOf<typeof attendedRuns.queue>) {
  const scope = ctx.scope('REVEAL', 'ACCOUNT', scopeColumns(account))
  return listOf(ctx.tx, input, {
    rows: (tx) => tx.select().from(account).$dynamic(),
    table: account,
    id: account.id,
    where: [
      waiting(scope),
      scope,
      input.reason?.length ? sql`${REASON} = any(${sql.param(input.reason)}::text[])` : undefined,
    ],
    search: [account.search],
    sort: { since: SINCE, username: account.username, type: account.type },
    defaultSort: { by: 'since' },
    present: (rows, tx) => present(tx, rows, ctx),
  })
}

async function present(tx: Tx, rows: readonly AccountRow[], ctx: CallContext): Promise<WaitingAccount[]> {
  const { rows: raws } = await tx.execute(sql`
    select ${account.id} as id, ${REASON} as reason, ${SINCE} as since, (select s.saved_at from profile_session s where ${OF_ACCOUNT}) as saved_at,
      p.name as profile, t.run_id, t.holder_id, u.username as holder, r.cycle, r.result,
      t.save_asked_at is not null as save_asked,
      exists (select 1 from attended_frame f where f.run_id = t.run_id) as has_frame
    from ${account} left join profile p on p.id = ${account.profileId}
    left join resource_lease l on l.kind = 'account' and l.resource_id = ${account.id}
    left join attended_run t on t.run_id = l.run_id and t.purpose = 'signIn' left join run r on r.id = t.run_id
    left join app_user u on u.id = t.holder_id
    where ${anyOfIds(rows.map((row) => row.id))}`)
  const facts = new Map(raws.map((raw) => [factsRow.parse(raw).id, factsRow.parse(raw)]))
  return rows.flatMap((row) => {
    const found = facts.get(row.id)
    return found ? [presentOne(row, found, ctx)] : []
  })
}

const anyOfIds = (ids: readonly string[]) =>
  ids.length === 1 ? eq(account.id, ids[0] ?? '') : sql`${account.id} = ${anyOf(ids)}`

function presentOne(row: AccountRow, found: z.infer<typeof factsRow>, ctx: CallContext): WaitingAccount {
  const { run_id: runId, cycle } = found
  return {
    id: row.id,
    username: row.username,
    type: row.type,
    status: row.status,
    reason: found.reason,
    since: found.since.toISOString(),
    lastError: row.lastError,
    lastSignInAt: found.saved_at?.toISOString() ?? null,
    profileId: row.profileId,
    profileName: found.profile,
    attended:
      runId !== null && cycle !== null
        ? {
            id: runId,
            holderName: found.holder ?? '',
            mine: found.holder_id === ctx.user.id,
            state: stateOf({
              cycle,
              result: found.result,
              claimed_at: null,
              cancelled: false,
              save_asked: found.save_asked === true,
              saved: false,
              has_frame: found.has_frame,
              purpose: 'signIn',
            }),
          }
        : null,
    can: runId === null ? ['openBrowser'] : ['showBrowser'],
  }
}
