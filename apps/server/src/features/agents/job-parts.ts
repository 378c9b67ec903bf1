import { sql } from 'drizzle-orm'

/** The profile `p` and the proxy `x` of a job, with what `PROFILE_PARTS` joins. */
export const PROFILE_AND_PROXY = sql`
  'profile', case when p.id is not null then json_build_object('id', p.id, 'name', p.name,
    'browserType', p.browser_type, 'locale', coalesce(p.locale, d.locale), 'timeZone', coalesce(p.time_zone, d.time_zone), 'startUrls', p.start_urls,
    'snapshot', case when sf.id is not null then json_build_object('sha256', sf.sha256, 'size', sf.size) end,
    'device', case when d.id is not null then json_build_object('viewport',
      json_build_object('width', d.width, 'height', d.height), 'scale', d.scale,
      'touch', d.touch, 'mobile', d.mobile, 'userAgent', d.user_agent, 'colorScheme', d.color_scheme) end) end,
  'proxy', case when x.id is not null then json_build_object('id', x.id, 'name', x.host || ':' || x.port,
    'protocol', x.protocol, 'host', x.host, 'port', x.port, 'username', x.username,
    'hasPassword', x.password is not null) end`

/** What belongs to the profile `p` as the account `a` has it: its kept session with its file, its device. */
export const PROFILE_PARTS = sql`
  left join profile_session s on s.profile_id = p.id and s.account_id is not distinct from a.id
    and s.username is not distinct from a.username
  left join file sf on sf.id = s.file_id
  left join device d on d.id = p.device_id`
