-- What checks of proxies find out, what a proxy costs, phones by country, devices that people make.

-- A check of several proxies that somebody asked for. How many are left is counted in the line below.
create table proxy_check (
  id uuid primary key,
  owner_id uuid not null,
  total integer not null,
  good integer not null default 0,
  bad integer not null default 0,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
create index proxy_check_by_owner on proxy_check (owner_id, started_at desc);
create index proxy_check_open on proxy_check (started_at) where finished_at is null;

-- The line of proxies that wait for a check. Who takes one moves its time to when it would have given up, so that what a
-- process leaves behind is taken by another.
create table proxy_due (
  proxy_id uuid primary key references proxy (id) on delete cascade,
  due_at timestamptz(3) not null default now(),
  check_id uuid references proxy_check (id) on delete set null
);
create index proxy_due_by_time on proxy_due (due_at);
create index proxy_due_by_check on proxy_due (check_id) where check_id is not null;

alter table proxy
  add column cost_per_month numeric check (cost_per_month between 0 and 1000000),
  add column currency text check (currency ~ '^[A-Z]{3}$'),
  add column last_error text,
  add column retry_at timestamptz(3),
  -- The end that its owner was last warned of.
  add column expiry_told timestamptz(3);
create index proxy_by_retry on proxy (retry_at) where retry_at is not null and deleted_at is null;
create index proxy_by_expiry on proxy (expires_at, id) where deleted_at is null;
create index proxy_by_source on proxy (proxy_source, created_at) where deleted_at is null;
create index proxy_by_country on proxy (country, created_at) where deleted_at is null;

create index phone_by_country on phone (country_code, created_at) where deleted_at is null;

alter table device
  add column created_by uuid,
  add column version integer not null default 1,
  add column locale text,
  add column time_zone text,
  add column color_scheme text check (color_scheme in ('light', 'dark'));
create unique index device_own_name on device (owner_id, lower(name)) nulls not distinct where not built_in;
create index device_by_kind on device (kind, name);
