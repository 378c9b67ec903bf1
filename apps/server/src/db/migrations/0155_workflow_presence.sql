-- Which open page of whom shows which workflow, and the step chosen there. It is worth nothing after a crash, so it is not
-- logged; a page whose process no longer touches it counts as gone.
create unlogged table workflow_presence (
  connection_id text primary key,
  workflow_id uuid not null,
  user_id uuid not null,
  step_id text,
  since timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);
create index workflow_presence_of_workflow on workflow_presence (workflow_id);
