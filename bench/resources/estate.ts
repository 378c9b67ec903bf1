import { createHash } from 'node:crypto'
import type { Pool } from 'pg'

/** Makes accounts by SQL, as many as are asked for, spread over statuses, types, tags and a month of time. */
export async function makeAccounts(pool: Pool, ownerId: string, count: number): Promise<void> {
  // An index is made at the end in a fraction of the time that it takes to add to it row by row.
  const { rows } = await pool.query<{ name: string; made: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made
    from pg_index i where i.indrelid in ('account'::regclass, 'account_search'::regclass) and not i.indisunique`,
  )
  await pool.query('set statement_timeout = 0')
  for (const { name } of rows) await pool.query(`drop index ${name}`)
  await pool.query(
    `insert into account (id, owner_id, created_by, created_at, updated_at, type, username, display_name, email, channel_name,
      status, tags, last_used_at, cooling_until)
    select uuidv7(t.at - now()), $1, $1, t.at, t.at,
      (array['facebook', 'instagram', 'youtube', 'tiktok', 'x', 'google', 'website', 'other'])[1 + n % 8],
      'user' || n, initcap(md5(n::text)), 'user' || n || '@example.org', 'channel ' || substr(md5((n % 5000)::text), 1, 12),
      (array['new', 'ready', 'cooling_down', 'needs_sign_in', 'limited', 'paused', 'retired'])[1 + n % 7],
      array['batch ' || n % 50], case when n % 3 = 0 then t.at + interval '1 day' end,
      -- One that rests without an end is woken by the next minute's job, in the midst of what is measured.
      case when n % 7 = 2 then now() + interval '1 day' end
    from generate_series(1, $2::int) n, lateral (select now() - interval '30 days' + n * interval '2 seconds' as at) t`,
    [ownerId, count],
  )
  await pool.query(`set maintenance_work_mem = '512MB'`)
  for (const { made } of rows) await pool.query(made)
  await pool.query('vacuum analyze account, account_search')
  await pool.query('reset all')
}

/** Whether there are accounts from an earlier time. */
export async function hasAccounts(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query('select from account limit 1')
  return rows.length > 0
}

/**
 * People with all the rights of one who is there, each with a session; gives their tokens. One person may call no more than
 * some hundred times at once, so a crowd it takes.
 */
export async function makePeople(pool: Pool, like: string, count: number): Promise<string[]> {
  const time = Date.now()
  const tokens = Array.from({ length: count }, (_, n) => `bench-token-${time}-${n}-${'x'.repeat(20)}`)
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest())
  await pool.query(
    `with made as (
      insert into app_user (id, username, username_key, display_name)
      select gen_random_uuid(), 'crowd' || n || $4::text, 'crowd' || n || $4::text, 'crowd' || n from generate_series(1, $2::int) n returning id),
    roles as (insert into user_role (user_id, role_id) select m.id, r.role_id from made m, user_role r where r.user_id = $1),
    opened as (
      insert into session (id, user_id, user_agent, address, remembered, idle_until, expires_at)
      select gen_random_uuid(), id, 'bench', '127.0.0.1', false, now() + interval '8 hours', now() + interval '8 hours' from made
      returning id),
    numbered as (select id, row_number() over () as n from opened)
    insert into access_token (hash, session_id, expires_at)
    select h.hash, o.id, now() + interval '4 hours'
    from numbered o join unnest($3::bytea[]) with ordinality as h (hash, n) on h.n = o.n`,
    [like, count, hashes, `-${time}`],
  )
  return tokens
}
