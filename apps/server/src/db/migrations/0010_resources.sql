-- Files, devices, the resources that operators own, and imports of them.

create extension if not exists pg_trgm;

-- A named reference to stored bytes. Several rows may share one hash; the bytes go when the last row goes.
create table file (
  id uuid primary key,
  owner_id uuid,
  name text not null,
  size bigint not null check (size >= 0),
  content_type text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  purpose text not null default 'upload' check (purpose in ('upload', 'run', 'snapshot')),
  run_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid
);
create index file_by_hash on file (sha256);
create index file_by_owner on file (owner_id, created_at);
create index file_by_run on file (run_id) where run_id is not null;

create table device (
  id uuid primary key,
  owner_id uuid,
  name text not null,
  kind text not null check (kind in ('desktop', 'tablet', 'phone')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  scale real not null check (scale > 0),
  touch boolean not null,
  mobile boolean not null,
  user_agent text,
  built_in boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index device_built_in_name on device (name) where built_in;
create index device_by_name on device (name, id);

create table proxy (
  id uuid primary key,
  owner_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  tags text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz(3),
  protocol text not null check (protocol in ('http', 'https', 'socks5')),
  host text not null,
  port integer not null check (port between 1 and 65535),
  username text,
  -- Sealed; never plain.
  password text,
  type text not null check (type in ('datacenter', 'residential', 'mobile', 'own')),
  proxy_source text not null default 'manual' check (proxy_source in ('manual', 'import', 'provider')),
  provider text,
  country text,
  city text,
  latency_ms integer,
  exit_ip text,
  status text not null default 'unverified'
    check (status in ('unverified', 'healthy', 'degraded', 'failing', 'quarantined', 'disabled')),
  failures integer not null default 0,
  checked_at timestamptz(3),
  expires_at timestamptz(3),
  capacity integer check (capacity > 0),
  search text not null generated always as (
    host || ':' || port::text || ' ' || coalesce(username, '') || ' ' || coalesce(provider, '') || ' ' || coalesce(city, '')
  ) stored
);
create unique index proxy_identity on proxy (owner_id, protocol, lower(host), port, coalesce(username, ''))
  nulls not distinct where deleted_at is null;
create index proxy_by_created on proxy (created_at, id) where deleted_at is null;
create index proxy_by_updated on proxy (updated_at, id) where deleted_at is null;
create index proxy_by_owner on proxy (owner_id, created_at, id) where deleted_at is null;
create index proxy_by_host on proxy (host, id) where deleted_at is null;
create index proxy_by_status on proxy (status, created_at) where deleted_at is null;
create index proxy_by_latency on proxy (latency_ms, id) where deleted_at is null;
create index proxy_by_check on proxy (checked_at, id) where deleted_at is null;
create index proxy_by_tag on proxy using gin (tags) where deleted_at is null;
create index proxy_search on proxy using gin (search gin_trgm_ops);
create index proxy_trash on proxy (deleted_at) where deleted_at is not null;

create table profile (
  id uuid primary key,
  owner_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  tags text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz(3),
  name text not null,
  browser_type text not null check (browser_type in ('chromium', 'chrome', 'edge', 'firefox', 'webkit')),
  device_id uuid references device (id) on delete set null,
  locale text,
  time_zone text,
  proxy_id uuid references proxy (id) on delete set null,
  start_urls text[] not null default '{}',
  status text not null default 'empty' check (status in ('empty', 'ready', 'leased', 'saving', 'damaged')),
  snapshot_file_id uuid references file (id),
  snapshot_at timestamptz(3),
  home_client_id uuid,
  search text not null generated always as (name) stored
);
create index profile_by_created on profile (created_at, id) where deleted_at is null;
create index profile_by_updated on profile (updated_at, id) where deleted_at is null;
create index profile_by_owner on profile (owner_id, created_at, id) where deleted_at is null;
create index profile_by_name on profile (name, id) where deleted_at is null;
create index profile_by_status on profile (status, created_at) where deleted_at is null;
create index profile_by_device on profile (device_id);
create index profile_by_proxy on profile (proxy_id) where proxy_id is not null;
create index profile_by_snapshot on profile (snapshot_file_id) where snapshot_file_id is not null;
create index profile_by_tag on profile using gin (tags) where deleted_at is null;
create index profile_search on profile using gin (search gin_trgm_ops);
create index profile_trash on profile (deleted_at) where deleted_at is not null;

create table phone (
  id uuid primary key,
  owner_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  tags text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz(3),
  country_code text not null,
  phone_number text not null,
  label text,
  owner text,
  kind text not null check (kind in ('mobile', 'landline', 'virtual')),
  status text not null default 'new' check (status in ('new', 'verified', 'in_use', 'blocked', 'retired')),
  search text not null generated always as (
    phone_number || ' ' || coalesce(label, '') || ' ' || coalesce(owner, '')
  ) stored
);
create unique index phone_identity on phone (owner_id, phone_number) nulls not distinct where deleted_at is null;
create index phone_by_created on phone (created_at, id) where deleted_at is null;
create index phone_by_updated on phone (updated_at, id) where deleted_at is null;
create index phone_by_owner on phone (owner_id, created_at, id) where deleted_at is null;
create index phone_by_number on phone (phone_number, id) where deleted_at is null;
create index phone_by_status on phone (status, created_at) where deleted_at is null;
create index phone_by_tag on phone using gin (tags) where deleted_at is null;
create index phone_search on phone using gin (search gin_trgm_ops);
create index phone_trash on phone (deleted_at) where deleted_at is not null;

create table account (
  id uuid primary key,
  owner_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  tags text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz(3),
  type text not null check (type in ('facebook', 'instagram', 'youtube', 'tiktok', 'x', 'google', 'website', 'other')),
  username text not null,
  display_name text,
  email text,
  channel_name text,
  profile_id uuid references profile (id) on delete set null,
  proxy_id uuid references proxy (id) on delete set null,
  phone_id uuid references phone (id) on delete set null,
  allowed_domains text[] not null default '{}',
  limits jsonb not null default '{"perDay": null, "perHour": null, "quietHours": null}',
  ownership jsonb,
  status text not null default 'new'
    check (status in ('new', 'ready', 'in_use', 'cooling_down', 'needs_sign_in', 'limited', 'paused', 'retired')),
  -- Sealed; never plain.
  password text,
  totp_seed text,
  recovery_codes text,
  last_used_at timestamptz(3),
  last_error text,
  search text not null generated always as (
    username || ' ' || coalesce(display_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(channel_name, '')
  ) stored
);
create unique index account_identity on account (owner_id, type, lower(username))
  nulls not distinct where deleted_at is null;
create index account_by_created on account (created_at, id) where deleted_at is null;
create index account_by_updated on account (updated_at, id) where deleted_at is null;
create index account_by_owner on account (owner_id, created_at, id) where deleted_at is null;
create index account_by_username on account (username, id) where deleted_at is null;
create index account_by_channel on account (channel_name, id) where deleted_at is null;
create index account_by_status on account (status, created_at) where deleted_at is null;
create index account_by_type on account (type, created_at) where deleted_at is null;
create index account_by_use on account (last_used_at, id) where deleted_at is null;
create index account_by_profile on account (profile_id) where profile_id is not null;
create index account_by_proxy on account (proxy_id) where proxy_id is not null;
create index account_by_phone on account (phone_id) where phone_id is not null;
create index account_by_tag on account using gin (tags) where deleted_at is null;
create index account_search on account using gin (search gin_trgm_ops);
create index account_trash on account (deleted_at) where deleted_at is not null;

create table video (
  id uuid primary key,
  owner_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  tags text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz(3),
  title text not null,
  description text not null default '',
  channel_name text,
  rights text not null default '',
  file_id uuid references file (id),
  duration_ms integer,
  width integer,
  height integer,
  codec text,
  status text not null default 'uploading' check (status in ('uploading', 'processing', 'ready', 'failed', 'archived')),
  search text not null generated always as (
    title || ' ' || coalesce(channel_name, '')
  ) stored
);
create index video_by_created on video (created_at, id) where deleted_at is null;
create index video_by_updated on video (updated_at, id) where deleted_at is null;
create index video_by_owner on video (owner_id, created_at, id) where deleted_at is null;
create index video_by_title on video (title, id) where deleted_at is null;
create index video_by_channel on video (channel_name, id) where deleted_at is null;
create index video_by_status on video (status, created_at) where deleted_at is null;
create index video_by_file on video (file_id) where file_id is not null;
create index video_by_tag on video using gin (tags) where deleted_at is null;
create index video_search on video using gin (search gin_trgm_ops);
create index video_trash on video (deleted_at) where deleted_at is not null;

-- An uploaded set of rows on its way to become records.
create table import (
  id uuid primary key,
  owner_id uuid not null,
  kind text not null check (kind in ('accounts', 'clients', 'profiles', 'phones', 'proxies', 'videos')),
  format text not null check (format in ('csv', 'ndjson', 'lines')),
  file_name text,
  state text not null default 'checked' check (state in ('checked', 'running', 'finished', 'failed', 'undone')),
  columns text[] not null default '{}',
  mapping jsonb not null default '{}',
  take text check (take in ('all', 'good')),
  on_duplicate text check (on_duplicate in ('skip', 'update', 'refuse')),
  total integer not null default 0,
  good integer not null default 0,
  bad integer not null default 0,
  duplicates integer not null default 0,
  processed integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3)
);
create index import_by_owner on import (owner_id, created_at);
create index import_by_age on import (created_at);

-- One row of an upload. Its text is sealed, because it may hold passwords.
create table import_row (
  import_id uuid not null references import (id) on delete cascade,
  row integer not null,
  source text not null,
  -- What makes two rows the same record, when the kind has such a thing.
  identity text,
  problems jsonb,
  duplicate boolean not null default false,
  outcome text check (outcome in ('created', 'updated', 'skipped', 'refused')),
  record_id uuid,
  primary key (import_id, row)
);
create index import_row_identity on import_row (import_id, identity, row) where identity is not null;
create index import_row_created on import_row (import_id, row) where outcome = 'created';
