-- Clients, campaigns, the item ledger, runs and leases.

create table client (
  id uuid primary key,
  owner_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  tags text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz(3),
  client_key text not null unique,
  name text not null,
  labels text[] not null default '{}',
  os text not null default '',
  arch text not null default '',
  local_ip text,
  public_ip text,
  machine_id text,
  public_key text,
  thread integer not null default 1 check (thread between 1 and 64),
  max_slots integer not null default 64 check (max_slots between 1 and 64),
  user_ins integer not null default 0,
  cpu real,
  mem_mb integer,
  disk_free_mb integer,
  agent_version text,
  browsers jsonb not null default '[]',
  admin text not null default 'enabled' check (admin in ('enabled', 'paused', 'draining', 'disabled', 'revoked')),
  admin_note text,
  paused_until timestamptz(3),
  refusing text,
  agent_state text not null default 'running' check (agent_state in ('running', 'draining', 'stopping')),
  last_seen_at timestamptz(3),
  instance_id uuid,
  session_hash text,
  session_expires_at timestamptz(3),
  nonce text,
  nonce_expires_at timestamptz(3),
  heartbeat_seq bigint not null default 0,
  search text not null generated always as (name || ' ' || client_key) stored
);
create index client_by_name on client (name, id) where deleted_at is null;
create index client_by_created on client (created_at, id) where deleted_at is null;
create index client_by_owner on client (owner_id);
create index client_search on client using gin (search gin_trgm_ops);
create unique index client_session on client (session_hash) where session_hash is not null;

create table join_code (
  id uuid primary key,
  owner_id uuid not null,
  code_hash text not null unique,
  labels text[] not null default '{}',
  max_slots integer not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  client_id uuid references client (id)
);

create table agent_signing_key (
  id integer primary key check (id = 1),
  public_key text not null,
  private_key text not null,
  created_at timestamptz(3) not null default now()
);

create table campaign (
  id uuid primary key,
  owner_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  tags text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz(3),
  code text not null,
  title text not null,
  description text not null default '',
  type text not null,
  project_id uuid references project (id),
  workflow_id uuid references workflow (id),
  release integer,
  inputs jsonb not null default '{}',
  pairing jsonb not null,
  schedule jsonb not null,
  pacing jsonb not null,
  errors jsonb not null,
  priority smallint not null default 5,
  state text not null default 'draft' check (state in ('draft', 'scheduled', 'running', 'pausing', 'paused',
    'completing', 'finished', 'finished_with_errors', 'cancelling', 'cancelled', 'archived')),
  state_reason text,
  state_changed_at timestamptz(3) not null default now(),
  next_start_at timestamptz(3),
  begin_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  copied_from_id uuid,
  search text not null generated always as (title || ' ' || code) stored
);
create unique index campaign_code on campaign (owner_id, code) where deleted_at is null;
create index campaign_by_created on campaign (created_at, id) where deleted_at is null;
create index campaign_by_updated on campaign (updated_at, id) where deleted_at is null;
create index campaign_by_state on campaign (state, created_at) where deleted_at is null;
create index campaign_by_project on campaign (project_id);
create index campaign_by_workflow on campaign (workflow_id, release);
create index campaign_live on campaign (priority desc, started_at)
  where state in ('scheduled', 'running', 'pausing', 'completing', 'cancelling');
create index campaign_search on campaign using gin (search gin_trgm_ops);

create table campaign_resource (
  campaign_id uuid not null references campaign (id) on delete cascade,
  kind text not null check (kind in ('profiles', 'accounts', 'clients', 'proxies', 'videos', 'phones')),
  resource_id uuid not null,
  position bigint generated always as identity,
  primary key (campaign_id, kind, resource_id)
);
create index campaign_resource_order on campaign_resource (campaign_id, kind, position);
create index campaign_resource_use on campaign_resource (kind, resource_id);

-- How many items are in each state. Kept by the trigger below, so no code can forget to count. One row per shard keeps
-- concurrent transactions from waiting for each other; a reader adds the shards up.
create table campaign_tally (
  campaign_id uuid not null references campaign (id) on delete cascade,
  shard smallint not null,
  planned integer not null default 0,
  ready integer not null default 0,
  leased integer not null default 0,
  running integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  skipped integer not null default 0,
  cancelled integer not null default 0,
  primary key (campaign_id, shard)
) with (fillfactor = 50);

create table campaign_item (
  id uuid primary key,
  campaign_id uuid not null references campaign (id) on delete cascade,
  seq integer not null,
  state text not null default 'planned' check (state in ('planned', 'ready', 'leased', 'running', 'done', 'failed',
    'uncertain', 'skipped', 'cancelled')),
  attempt integer not null default 0,
  -- Attempts made before a person asked for a fresh count.
  attempts_forgiven integer not null default 0,
  fence integer not null default 0,
  account_id uuid,
  profile_id uuid,
  proxy_id uuid,
  phone_id uuid,
  video_id uuid,
  client_id uuid,
  run_id uuid,
  ready_at timestamptz(3),
  error jsonb,
  outputs jsonb,
  note text,
  started_at timestamptz(3),
  settled_at timestamptz(3)
) with (fillfactor = 80);
create unique index campaign_item_seq on campaign_item (campaign_id, seq);
create index campaign_item_ready on campaign_item (campaign_id, seq) where state = 'ready';
create index campaign_item_open on campaign_item (campaign_id, state) where state in ('planned', 'leased', 'running', 'uncertain');
create index campaign_item_settled on campaign_item (campaign_id, settled_at) where settled_at is not null;

create function campaign_item_count() returns trigger language plpgsql as $$
begin
  insert into campaign_tally as t (campaign_id, shard, planned, ready, leased, running, done, failed, uncertain, skipped, cancelled)
  select d.campaign_id, (pg_backend_pid() % 64)::smallint,
    coalesce(sum(n) filter (where state = 'planned'), 0), coalesce(sum(n) filter (where state = 'ready'), 0),
    coalesce(sum(n) filter (where state = 'leased'), 0), coalesce(sum(n) filter (where state = 'running'), 0),
    coalesce(sum(n) filter (where state = 'done'), 0), coalesce(sum(n) filter (where state = 'failed'), 0),
    coalesce(sum(n) filter (where state = 'uncertain'), 0), coalesce(sum(n) filter (where state = 'skipped'), 0),
    coalesce(sum(n) filter (where state = 'cancelled'), 0)
  from (
    select campaign_id, state, sum(n) as n from (
      select campaign_id, state, 1 as n from item_after union all select campaign_id, state, -1 from item_before
    ) rows group by campaign_id, state having sum(n) <> 0
  ) d
  group by d.campaign_id
  order by d.campaign_id
  on conflict (campaign_id, shard) do update set
    planned = t.planned + excluded.planned, ready = t.ready + excluded.ready,
    leased = t.leased + excluded.leased, running = t.running + excluded.running,
    done = t.done + excluded.done, failed = t.failed + excluded.failed,
    uncertain = t.uncertain + excluded.uncertain, skipped = t.skipped + excluded.skipped,
    cancelled = t.cancelled + excluded.cancelled;
  return null;
end $$;

create function campaign_item_count_insert() returns trigger language plpgsql as $$
begin
  insert into campaign_tally as t (campaign_id, shard, planned, ready)
  select campaign_id, (pg_backend_pid() % 64)::smallint,
    count(*) filter (where state = 'planned'), count(*) filter (where state = 'ready')
  from item_after group by campaign_id
  on conflict (campaign_id, shard) do update set
    planned = t.planned + excluded.planned, ready = t.ready + excluded.ready;
  return null;
end $$;

create trigger campaign_item_counted_insert after insert on campaign_item
  referencing new table as item_after for each statement execute function campaign_item_count_insert();
create trigger campaign_item_counted_update after update on campaign_item
  referencing old table as item_before new table as item_after for each statement execute function campaign_item_count();

create table run (
  id uuid primary key,
  owner_id uuid,
  campaign_id uuid references campaign (id) on delete cascade,
  item_id uuid references campaign_item (id) on delete cascade,
  workflow_id uuid not null,
  release integer not null,
  attempt integer not null,
  fence integer not null,
  client_id uuid not null references client (id),
  account_id uuid,
  cycle text not null default 'queued' check (cycle in ('queued', 'leased', 'running', 'waiting', 'finished')),
  result text check (result in ('succeeded', 'failed', 'timed_out', 'cancelled', 'lost', 'rejected')),
  error jsonb,
  cancel_requested_at timestamptz(3),
  cancel_reason text,
  cancel_mode text,
  step text,
  outputs jsonb,
  queued_at timestamptz(3) not null default now(),
  claimed_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  -- Until then the offer, later the lease, holds.
  held_until timestamptz(3) not null,
  retry_of_id uuid,
  agent_version text,
  browser text,
  events_ack integer not null default 0,
  -- Paths of irreversible steps: announced and not confirmed; confirmed.
  intents text[] not null default '{}',
  confirmed text[] not null default '{}',
  log_bytes bigint not null default 0,
  start_at text,
  check ((cycle = 'finished') = (result is not null))
) with (fillfactor = 70);
create index run_unfinished on run (client_id) where cycle <> 'finished';
create index run_held on run (held_until) where cycle <> 'finished';
create index run_by_campaign on run (campaign_id, queued_at desc, id);
create index run_by_item on run (item_id, queued_at desc);
create index run_by_owner on run (owner_id, queued_at desc, id);
create index run_by_time on run (queued_at desc, id);
create index run_by_account on run (account_id, started_at) where account_id is not null;
create index run_by_finish on run (finished_at) where finished_at is not null;
create index run_by_workflow on run (workflow_id, queued_at desc);
create index run_by_client on run (client_id, queued_at desc);

-- A finished run never changes; what comes late is evidence in run_late_report.
create function run_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'run % is finished', old.id using errcode = 'restrict_violation';
end $$;
create trigger run_final before update on run for each row
  when (old.cycle = 'finished' and (new.cycle, new.result, new.outputs, new.error) is distinct from (old.cycle, old.result, old.outputs, old.error))
  execute function run_is_final();

create table run_event (
  run_id uuid not null references run (id) on delete cascade,
  first_seq integer not null,
  last_seq integer not null,
  events jsonb not null,
  primary key (run_id, first_seq)
);

create table run_log (
  run_id uuid not null references run (id) on delete cascade,
  start bigint not null,
  bytes bytea not null,
  primary key (run_id, start)
);

create table run_late_report (
  id bigint generated always as identity primary key,
  run_id uuid not null references run (id) on delete cascade,
  at timestamptz(3) not null default now(),
  kind text not null,
  detail jsonb not null
);
create index run_late_report_of on run_late_report (run_id);

-- Exclusive holds of runs on resources. One row while the run is unfinished; it ends with the run's own lease.
create table resource_lease (
  kind text not null check (kind in ('account', 'profile', 'phone', 'video', 'proxy')),
  resource_id uuid not null,
  slot integer not null default 0,
  run_id uuid not null references run (id) on delete cascade,
  since timestamptz(3) not null default now(),
  primary key (kind, resource_id, slot)
);
create index resource_lease_of_run on resource_lease (run_id);

-- The sweeper's pulse: leases do not run while no server was there to hear a renewal.
create table engine_pulse (
  id integer primary key check (id = 1),
  at timestamptz(3) not null
);
insert into engine_pulse (id, at) values (1, now());

-- Screenshots, traces and downloads of runs; the bytes are in the file store under their hash.
create table run_file (
  id uuid primary key,
  run_id uuid not null references run (id) on delete cascade,
  seq integer not null,
  kind text not null check (kind in ('screenshot', 'trace', 'download')),
  step_id text,
  path text,
  name text not null,
  size bigint not null,
  sha256 text not null,
  content_type text not null,
  at timestamptz(3) not null
);
create unique index run_file_event on run_file (run_id, seq);
create index run_file_sha on run_file (sha256);
