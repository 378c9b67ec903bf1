-- What runs make of an account beyond needing a person: it rests until its limits let it begin again, and it is paused when it failed
-- in the same way several times in a row.
alter table account add column cooling_until timestamptz(3), add column failures integer not null default 0;

-- Until when an account has begun as many runs as its limits allow; null where it may begin one.
create function account_rests_until(uuid, per_day integer, per_hour integer) returns timestamptz language sql stable as $$
  select greatest(
    (select r.started_at + interval '1 day' from run r
      where per_day is not null and r.account_id = $1 and r.queued_at > now() - interval '25 hours' and r.hold_id is null
        and r.started_at > now() - interval '1 day'
      order by r.started_at desc offset per_day - 1 limit 1),
    (select r.started_at + interval '1 hour' from run r
      where per_hour is not null and r.account_id = $1 and r.queued_at > now() - interval '2 hours' and r.hold_id is null
        and r.started_at > now() - interval '1 hour'
      order by r.started_at desc offset per_hour - 1 limit 1))
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
  end if;
  return new;
end $$;

-- Other limits may let it begin sooner: it is looked at anew.
create function account_limits_change() returns trigger language plpgsql as $$
begin
  new.cooling_until := now();
  return new;
end $$;
create trigger account_limits_change before update of limits on account for each row
  when (new.status = 'cooling_down' and old.limits is distinct from new.limits) execute function account_limits_change();

create or replace function account_status_moves() returns trigger language plpgsql as $$
begin
  insert into account_event (account_id, before, after, reason, error)
  values (new.id, old.status, new.status,
    case new.status when 'needs_sign_in' then new.person_reason when 'cooling_down' then 'limit' when 'paused' then 'failures'
      when 'ready' then case old.status when 'cooling_down' then 'rested' end end,
    case when new.status = 'cooling_down' or old.status = 'cooling_down' then null else new.last_error end);
  return null;
end
$$;
