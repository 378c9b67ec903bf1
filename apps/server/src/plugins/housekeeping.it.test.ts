import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { clearOnce } from './housekeeping.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

it('clears away what has had its time, and keeps the rest', async () => {
  const { pool } = server.deps
  const { id } = await server.as('operator', 'ann')
  await pool.query(
    `insert into one_time_link (hash, purpose, user_id, created_at, expires_at)
       select sha256(age::text::bytea), 'resetPassword', $1, now() - age, now() - age
       from unnest(array[interval '8 days', interval '1 day']) as age`,
    [id],
  )
  await pool.query(
    `insert into mail (id, kind, user_id, to_address, subject, sealed_text, state, created_at)
       select gen_random_uuid(), 'test', $1, 'ann@example.org', age::text, 'x', 'kept', now() - age
       from unnest(array[interval '31 days', interval '8 days', interval '1 day']) as age`,
    [id],
  )
  await pool.query(
    `insert into sign_in_ticket (hash, user_id, remembered, enrol, expires_at)
       select sha256(age::text::bytea), $1, false, false, now() - age
       from unnest(array[interval '1 minute', interval '-1 minute']) as age`,
    [id],
  )
  const failed: unknown[] = []
  await clearOnce(server.deps, (error) => failed.push(error))
  expect(failed).toEqual([])
  const { rows } = await pool.query(
    `select (select count(*)::int from one_time_link) as links, (select count(*)::int from sign_in_ticket) as tickets,
       (select array_agg(subject || coalesce(' ' || sealed_text, '') order by created_at) from mail) as mails`,
  )
  expect(rows).toEqual([{ links: 1, tickets: 1, mails: ['8 days', '1 day x'] }])
})
