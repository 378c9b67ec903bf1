-- An account may have a least pause between two of its runs, from the end of one to the beginning of the next. A run that left to wait
-- ended, too, for whatever else begins with the account; what goes on with it waits for none of the limits.
drop function account_rests_until(uuid, integer, integer);
drop function account_limits_end(uuid, integer, integer);

-- When the limits of an account let it begin again, each by itself; null where it may begin now. The dispatcher and what runs make of
-- an account ask the same.
create function account_limits_end(uuid, per_day integer, per_hour integer, cooldown_minutes integer)
  returns table (day_until timestamptz, hour_until timestamptz, pause_until timestamptz) language sql stable as $$
  select
    (select r.started_at + interval '1 day' from run r
      where per_day is not null and r.account_id = $1 and r.queued_at > now() - interval '25 hours' and r.hold_id is null
        and r.started_at > now() - interval '1 day'
      order by r.started_at desc offset per_day - 1 limit 1),
    (select r.started_at + interval '1 hour' from run r
      where per_hour is not null and r.account_id = $1 and r.queued_at > now() - interval '2 hours' and r.hold_id is null
        and r.started_at > now() - interval '1 hour'
      order by r.started_at desc offset per_hour - 1 limit 1),
    (select last.finished_at + make_interval(mins => cooldown_minutes)
      from (
        select r.finished_at from run r
        where cooldown_minutes is not null and r.account_id = $1 and r.started_at is not null and r.finished_at is not null
        order by r.queued_at desc limit 1) last
      where last.finished_at + make_interval(mins => cooldown_minutes) > now())
$$;

create function account_rests_until(uuid, per_day integer, per_hour integer, cooldown_minutes integer)
  returns timestamptz language sql stable as $$
  select greatest(e.day_until, e.hour_until, e.pause_until)
  from account_limits_end($1, per_day, per_hour, cooldown_minutes) e
$$;
