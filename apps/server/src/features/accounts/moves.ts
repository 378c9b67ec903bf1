import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { SETTING_DEFAULTS } from '@weft/contract/system/settings'
import type { Deps } from '../../kit/deps.ts'
import type { Tx } from '../../kit/context.ts'
import { recordset } from '../../kit/recordset.ts'
import { systemActor, transact } from '../../kit/work.ts'
import { notify } from '../notifications/notify.ts'

/** What an ended run says of its account. */
export interface AccountUse {
  id: string
  /** What went wrong, or null. */
  error: string | null
  /** Its item failed for good by itself; it was not stopped or lost. */
  failed: boolean
  /** Why it needs a person now. */
  person: 'rejected' | 'challenge' | null
  /** Who has the campaign. */
  concerned: string | null
}

/** How many accounts are woken in one transaction. */
const RESTED = 500
/** Notifications are a line to read, whatever a page said. */
const TOLD_ERROR = 300

const USE = { id: 'uuid', error: 'text', failed: 'boolean', person: 'text', concerned: 'uuid' } as const

/** How many like failures in a row pause an account; none where it is 0. */
const MOST_FAILURES = sql`coalesce((select case when jsonb_typeof(s.value) = 'number' then (s.value #>> '{}')::int end from setting s
  where s.key = 'accountFailures'), ${SETTING_DEFAULTS.accountFailures}::int)`

/** Until when the account `a` rests for its limits. */
const RESTS = sql`case when coalesce(a.limits ->> 'perDay', a.limits ->> 'perHour', a.limits ->> 'cooldownMinutes') is not null
  then account_rests_until(a.id, (a.limits ->> 'perDay')::int, (a.limits ->> 'perHour')::int,
    (a.limits ->> 'cooldownMinutes')::int) end`

/**
 * All that runs make of accounts by themselves: one that is asked for a person waits for one, one that failed in the same way too often
 * is paused, one that reached a limit rests, one that works is ready. What a person set otherwise stays. A trigger writes each move
 * into the account's timeline, and who is concerned is told. Gives the accounts whose status moved.
 */
export async function moveAccounts(tx: Tx, uses: readonly AccountUse[]): Promise<ReadonlySet<string>> {
  if (uses.length === 0) return new Set()
  const alike = sql`case when a.failure_error = v.error then a.failures + 1 else 1 end`
  const status: SQL = sql`case when a.status not in ('new', 'ready', 'cooling_down') then a.status
    when v.person is not null then 'needs_sign_in'
    when v.failed and ${MOST_FAILURES} between 1 and ${alike} then 'paused'
    when a.status = 'new' and v.error is not null then 'new'
    when ${RESTS} is not null then 'cooling_down' else 'ready' end`
  const { rows } = await tx.execute(sql`
    update account a set last_used_at = now(), last_error = v.error, status = ${status},
      cooling_until = ${RESTS},
      failures = case when v.error is null then 0 when v.failed then ${alike} else a.failures end,
      failure_error = case when v.failed then v.error when v.error is not null then a.failure_error end,
      person_reason = case when v.person is not null and a.status in ('new', 'ready', 'cooling_down') then v.person else a.person_reason end,
      person_since = case when v.person is not null and a.status in ('new', 'ready', 'cooling_down') then now() else a.person_since end
    from ${recordset(USE, uses)} where a.id = v.id
    returning a.id, a.owner_id as "ownerId", a.username, old.status as before, new.status as after, a.failures, v.error, v.concerned`)
  const moved = rows.map((row) => movedRow.parse(row)).filter(({ before, after }) => before !== after)
  for (const one of moved) await tellMoved(tx, one)
  return new Set(moved.map(({ id }) => id))
}

const movedRow = z.object({
  id: z.string(),
  ownerId: z.string().nullable(),
  username: z.string(),
  before: z.string(),
  after: z.string(),
  failures: z.number(),
  error: z.string().nullable(),
  concerned: z.string().nullable(),
})

/** An account that goes no further without a person: its owner hears of it, and whoever has the campaign that waits for it. */
async function tellMoved(
  tx: Tx,
  { id, ownerId, username, after, failures, error, concerned }: z.infer<typeof movedRow>,
): Promise<void> {
  const people = [ownerId, concerned]
  const about = { feature: 'accounts', id } as const
  if (after === 'paused') {
    const params = { account: username, failures, error: (error ?? '').slice(0, TOLD_ERROR) }
    await notify(tx, people, { kind: 'account.paused', params, about })
  }
  if (after === 'needs_sign_in')
    await notify(tx, people, { kind: 'account.needsSignIn', params: { account: username }, about })
}

const rested = z.object({ id: z.string(), ownerId: z.string().nullable() })

/** Accounts whose limits let them begin again are ready; where the limits were changed, the rest has another end. */
export async function wakeRested(deps: Deps): Promise<void> {
  let woken = RESTED
  while (woken === RESTED)
    woken = await transact(deps, systemActor('accounts'), async (work) => {
      const { rows } = await work.tx.execute(sql`
        with due as (
          select id from account where status = 'cooling_down' and coalesce(cooling_until, now()) <= now() and deleted_at is null
          limit ${RESTED} for update skip locked)
        update account a set cooling_until = ${RESTS}, status = case when ${RESTS} is null then 'ready' else a.status end
        from due where a.id = due.id
        returning a.id, a.owner_id as "ownerId"`)
      for (const row of rows) {
        const { id, ownerId } = rested.parse(row)
        work.event({ feature: 'accounts', id, kind: 'updated', ownerId })
      }
      return rows.length
    })
}
