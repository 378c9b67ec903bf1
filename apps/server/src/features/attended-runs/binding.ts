import { sql, type SQL } from 'drizzle-orm'

/**
 * What a run `r` binds: by its item, or, where it is a test run or an attended one, by itself. To be joined as
 * `from run r cross join lateral ${BINDING} b`.
 */
export const BINDING: SQL = sql`(
  select i.account_id, i.profile_id, i.proxy_id, i.phone_id, i.video_id, false as attended
    from campaign_item i where i.id = r.item_id
  union all
  select t.account_id, t.profile_id, t.proxy_id, null::uuid, null::uuid, true
    from attended_run t where t.run_id = r.id
  union all
  select t.account_id, t.profile_id, t.proxy_id, t.phone_id, t.video_id, false
    from test_run t where t.run_id = r.id)`
