-- What a project gives to its workflows: values that expressions read, settings that new workflows begin with, and secrets
-- that runs use and nobody reads back.
alter table project
  add column variables jsonb not null default '[]',
  add column defaults jsonb not null default '{}';

create table project_secret (
  id uuid primary key,
  project_id uuid not null references project (id) on delete cascade,
  name text not null,
  description text not null default '',
  value text not null,
  updated_at timestamptz(3) not null default now(),
  updated_by uuid,
  unique (project_id, name)
);

-- A run's project as it was when the run began; only of runs whose project has variables.
create table run_project (
  run_id uuid primary key references run (id) on delete cascade,
  project_id uuid not null,
  name text not null,
  variables jsonb not null
);
