-- What counts as failing in the same way is what it last failed with, whatever attempts that were made again said in between.
alter table account add column failure_error text;
update account set failure_error = last_error where failures > 0;

-- When the limits of an account let it begin again, each by itself; null where it may begin now. The dispatcher and what runs make of
-- an account ask the same.
create function account_limits_end(uuid, per_day integer, per_hour integer)
  returns table (day_until timestamptz, hour_until timestamptz) language sql stable as $$
  select
    (select r.started_at + interval '1 day' from run r
      where per_day is not null and r.account_id = $1 and r.queued_at > now() - interval '25 hours' and r.hold_id is null
        and r.started_at > now() - interval '1 day'
      order by r.started_at desc offset per_day - 1 limit 1),
    (select r.started_at + interval '1 hour' from run r
      where per_hour is not null and r.account_id = $1 and r.queued_at > now() - interval '2 hours' and r.hold_id is null
        and r.started_at > now() - interval '1 hour'
      order by r.started_at desc offset per_hour - 1 limit 1)
$$;

create or replace function account_rests_until(uuid, per_day integer, per_hour integer) returns timestamptz language sql stable as $$
  select greatest(e.day_until, e.hour_until) from account_limits_end($1, per_day, per_hour) e
$$;

create or replace function account_person_reason() returns trigger language plpgsql as $$
begin
  if new.status <> 'needs_sign_in' then
    new.person_reason := null;
    new.person_since := null;
  elsif new.person_since is null then
    new.person_since := now();
  end if;
  if new.status <> 'cooling_down' then
    new.cooling_until := null;
  end if;
  -- Whoever lets it go on gives it a fresh start.
  if old.status = 'paused' then
    new.failures := 0;
    new.failure_error := null;
  end if;
  return new;
end $$;
