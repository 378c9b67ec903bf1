-- What became of an account without anybody changing it: what its runs made of its status. What people do is in the audit log.
create table account_event (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account (id) on delete cascade,
  at timestamptz(3) not null default now(),
  before text not null,
  after text not null,
  reason text,
  error text
);
create index account_event_by_account on account_event (account_id, at desc, id desc);

create function account_status_moves() returns trigger language plpgsql as $$
begin
  insert into account_event (account_id, before, after, reason, error)
  values (new.id, old.status, new.status, to_jsonb(new) ->> 'person_reason', new.last_error);
  return null;
end
$$;
-- A person's change raises the version and stands in the audit log.
create trigger account_status_moves after update of status on account for each row
  when (old.status is distinct from new.status and old.version = new.version) execute function account_status_moves();
