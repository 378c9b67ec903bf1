-- Projects, workflows and their releases.

create table project (
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
  description text not null default '',
  colour text not null default '#0db976',
  status text not null default 'active' check (status in ('active', 'frozen', 'archived')),
  search text not null generated always as (name || ' ' || description) stored
);
create index project_by_created on project (created_at, id) where deleted_at is null;
create index project_by_updated on project (updated_at, id) where deleted_at is null;
create index project_by_name on project (name, id) where deleted_at is null;
create index project_by_owner on project (owner_id, created_at, id) where deleted_at is null;
create index project_search on project using gin (search gin_trgm_ops);

create table workflow (
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
  description text not null default '',
  icon text not null default 'route',
  project_id uuid references project (id),
  -- The document with its states decoded, and the hash of its canonical JSON.
  draft jsonb not null,
  draft_hash text not null,
  activity_count integer not null default 0,
  published_release integer,
  published_hash text,
  search text not null generated always as (name || ' ' || description) stored
);
create index workflow_by_created on workflow (created_at, id) where deleted_at is null;
create index workflow_by_updated on workflow (updated_at, id) where deleted_at is null;
create index workflow_by_name on workflow (name, id) where deleted_at is null;
create index workflow_by_owner on workflow (owner_id, created_at, id) where deleted_at is null;
create index workflow_by_project on workflow (project_id);
create index workflow_search on workflow using gin (search gin_trgm_ops);

create table workflow_release (
  id uuid primary key,
  workflow_id uuid not null references workflow (id),
  number integer not null check (number > 0),
  document jsonb not null,
  hash text not null,
  changelog text not null default '',
  capabilities jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  unique (workflow_id, number)
);

-- A release is what runs are pinned to, so nobody may change one, by no way.
create function workflow_release_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'release % of workflow % is immutable', old.number, old.workflow_id using errcode = 'restrict_violation';
end $$;
create trigger workflow_release_final before update or delete on workflow_release
  for each row execute function workflow_release_is_final();
