-- A run in which a person has the browser in hand has no workflow, no campaign and no item; what it binds stands here.
alter table run alter column workflow_id drop not null, alter column release drop not null;
alter table run add constraint run_of_workflow_or_attended
  check ((workflow_id is null) = (release is null) and (workflow_id is not null or (campaign_id is null and item_id is null)));

create table attended_run (
  run_id uuid primary key references run (id) on delete cascade,
  account_id uuid references account (id) on delete cascade,
  profile_id uuid not null references profile (id) on delete cascade,
  -- As with items, what is gone stays named: a run must not go round a proxy that was deleted meanwhile.
  proxy_id uuid,
  url text not null,
  opened_by uuid not null,
  -- Who has it in hand, and when their viewer asked for a picture last.
  holder_id uuid not null,
  holder_seen_at timestamptz(3) not null default now(),
  -- When anybody asked for a picture last: what nobody looks at need not be sent ten times a second.
  looked_at timestamptz(3) not null default now(),
  -- Who looks on; each of them is in the audit log.
  watchers uuid[] not null default '{}',
  seconds integer not null,
  save_asked_at timestamptz(3),
  saved_at timestamptz(3)
);
create index attended_run_by_account on attended_run (account_id) where account_id is not null;
create index attended_run_by_profile on attended_run (profile_id);

-- The newest picture of each open browser. It may show private things: it is in no backup, and gone with the run's end.
create unlogged table attended_frame (
  run_id uuid primary key,
  number integer not null,
  at timestamptz(3) not null default now(),
  meta jsonb not null,
  jpeg bytea not null
);
alter table attended_frame alter column jpeg set storage external;
create function attended_frame_ends() returns trigger language plpgsql as $$
begin
  delete from attended_frame where run_id = new.id;
  perform pg_notify('weft_attended_frame', new.id::text);
  return null;
end $$;
create trigger run_attended_ends after update of cycle on run for each row
  when (new.workflow_id is null and new.cycle = 'finished' and old.cycle <> 'finished')
  execute function attended_frame_ends();

-- When the last sign-in cookie of a kept session ends, as its agent told.
alter table profile_session add column expires_at timestamptz(3);
create index profile_session_by_end on profile_session (expires_at) where expires_at is not null;

-- Why and since when an account needs a person.
alter table account add column person_reason text check (person_reason in ('challenge', 'rejected'));
alter table account add column person_since timestamptz(3);
update account set person_reason = 'rejected', person_since = updated_at where status = 'needs_sign_in';
create function account_person_reason() returns trigger language plpgsql as $$
begin
  if new.status <> 'needs_sign_in' then
    new.person_reason := null;
    new.person_since := null;
  elsif new.person_since is null then
    new.person_since := now();
  end if;
  return new;
end $$;
create trigger account_person_reason before update of status on account for each row
  when (new.status is distinct from old.status) execute function account_person_reason();
create index account_needs_person on account (person_since) where status = 'needs_sign_in' and deleted_at is null;
create index account_never_in on account (created_at)
  where status = 'new' and password is null and profile_id is not null and deleted_at is null;
