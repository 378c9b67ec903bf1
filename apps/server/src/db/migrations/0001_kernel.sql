-- What every feature stands on: people, sessions, settings, audit, events, repeated requests.

create extension if not exists pg_trgm;

create table app_user (
  id uuid primary key,
  owner_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  tags text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz(3),
  username text not null,
  -- Lower case and normalised, so that two spellings of one name cannot be two people.
  username_key text not null unique,
  email text,
  email_key text unique,
  display_name text not null,
  password_hash text,
  locale text not null default 'en' check (locale in ('en', 'fr', 'ar')),
  time_zone text,
  status text not null default 'active' check (status in ('active', 'suspended'))
);

create table role (
  id uuid primary key,
  owner_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  tags text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz(3),
  key text not null unique,
  name text not null,
  built_in boolean not null default false,
  -- Null for the built-in ones: their rules come with the program.
  rules jsonb,
  check (built_in = (rules is null))
);

create table user_role (
  user_id uuid not null references app_user (id) on delete cascade,
  role_id uuid not null references role (id) on delete cascade,
  primary key (user_id, role_id)
);
create index user_role_by_role on user_role (role_id);

create table session (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  user_agent text not null,
  address text not null,
  remembered boolean not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  idle_until timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  end_reason text
);
create index session_open on session (user_id, last_used_at desc) where ended_at is null;
create index session_by_end on session (expires_at);

-- Tokens are kept as their SHA-256 only.
create table access_token (
  hash bytea primary key,
  session_id uuid not null references session (id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index access_token_by_session on access_token (session_id);
create index access_token_by_end on access_token (expires_at);

create table refresh_token (
  hash bytea primary key,
  session_id uuid not null references session (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  replaced_at timestamptz(3)
);
create index refresh_token_by_session on refresh_token (session_id);

-- The link of the first start: one row at most.
create table setup_token (
  id integer primary key check (id = 1),
  hash bytea not null,
  created_at timestamptz(3) not null default now()
);

-- Failed sign-ins by account and address, and by address alone.
create table sign_in_throttle (
  key bytea primary key,
  failures integer not null,
  window_ends_at timestamptz(3) not null,
  blocked_until timestamptz(3)
);
create index sign_in_throttle_by_end on sign_in_throttle (window_ends_at);

create table setting (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz(3) not null default now(),
  updated_by uuid
);

-- What proves that the key file fits this database.
create table canary (
  id integer primary key check (id = 1),
  sealed text not null
);

create table audit (
  id uuid primary key,
  at timestamptz(3) not null default now(),
  actor_id uuid,
  actor_name text not null,
  address text not null,
  label text not null,
  feature text not null,
  record_id text,
  before jsonb,
  after jsonb,
  request_id text not null
);
create index audit_by_time on audit (at desc, id);
create index audit_by_record on audit (feature, record_id, at desc, id);
create index audit_by_actor on audit (actor_id, at desc, id);

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log only grows' using errcode = 'restrict_violation';
end $$;
create trigger audit_kept before update or delete or truncate on audit
  for each statement execute function audit_is_append_only();

-- Written by the transaction that made the change, in no particular order; the publisher moves the rows to `event`.
create table event_outbox (
  id bigint generated always as identity primary key,
  feature text not null,
  record_id text not null,
  kind text not null check (kind in ('created', 'updated', 'deleted', 'progress')),
  parent_id text,
  owner_id uuid,
  at timestamptz(3) not null default now()
);

-- One publisher at a time gives the numbers, so a higher seq is never seen before a lower one.
create table event (
  seq bigint generated always as identity primary key,
  feature text not null,
  record_id text not null,
  kind text not null,
  parent_id text,
  owner_id uuid,
  at timestamptz(3) not null
);
create index event_by_time on event (at);

create table idempotency (
  user_id uuid not null,
  endpoint text not null,
  key text not null,
  request_hash bytea not null,
  answer jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, endpoint, key)
);
create index idempotency_by_time on idempotency (created_at);

-- Messages between the hubs of several server processes; they live for a minute and may be lost in a crash.
create unlogged table hub_message (
  id bigserial primary key,
  target text not null,
  record text not null,
  at timestamptz not null default now()
);
create index hub_message_at_idx on hub_message (at);
