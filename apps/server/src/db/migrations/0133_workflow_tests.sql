-- Named cases of a workflow: what it is given, and what must hold once it has run.
create table workflow_test (
  id uuid primary key,
  workflow_id uuid not null references workflow (id) on delete cascade,
  name text not null,
  inputs jsonb not null default '{}',
  resources jsonb not null default '{}',
  expected_result text not null default 'succeeded' check (expected_result in ('succeeded', 'failed')),
  expectations jsonb not null default '[]',
  version integer not null default 1,
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  unique (workflow_id, name)
);

-- The test that a test run is of, what was expected then, and what came of it.
alter table test_run
  add column test_id uuid references workflow_test (id) on delete set null,
  add column expected_result text,
  add column expectations jsonb not null default '[]',
  add column checks jsonb;
create index test_run_of_test on test_run (test_id, at desc) where test_id is not null;
