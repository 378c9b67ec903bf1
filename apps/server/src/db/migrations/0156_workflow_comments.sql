-- What people say about a workflow and its steps. A thread is a comment without `thread_id`; its replies name it.
create table workflow_comment (
  id uuid primary key,
  workflow_id uuid not null references workflow (id) on delete cascade,
  thread_id uuid references workflow_comment (id) on delete cascade,
  -- Of a thread alone: its step, null for the workflow as a whole, and what that step was then.
  step_id text,
  step jsonb,
  text text not null,
  author_id uuid,
  mentions uuid[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  deleted_at timestamptz(3),
  -- Of a thread alone.
  resolved_at timestamptz(3),
  resolved_by uuid,
  last_at timestamptz(3) not null default now(),
  check (thread_id is null or (step_id is null and step is null and resolved_at is null))
);
create index workflow_comment_threads on workflow_comment (workflow_id, last_at desc, id desc) where thread_id is null;
create index workflow_comment_replies on workflow_comment (thread_id, created_at, id) where thread_id is not null;
create index workflow_comment_newest on workflow_comment (workflow_id, created_at);

-- When somebody last looked at the comments of a workflow.
create table workflow_comment_seen (
  user_id uuid not null references app_user (id) on delete cascade,
  workflow_id uuid not null references workflow (id) on delete cascade,
  seen_at timestamptz(3) not null,
  primary key (user_id, workflow_id)
);
create index workflow_comment_seen_of_workflow on workflow_comment_seen (workflow_id);

-- Who made the draft as it is, for those who have it open; null of those from before.
alter table workflow add column draft_by uuid;
