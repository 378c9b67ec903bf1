-- A run that comes to a long wait leaves its client and is held here: for a time, or until a person has answered. Its item is
-- ready again from `due_at` on, or once the answer is there, and goes on in a new run with the sealed state.
alter table run drop constraint run_result_check;
alter table run add constraint run_result_check
  check (result in ('succeeded', 'failed', 'timed_out', 'cancelled', 'lost', 'rejected', 'held'));

create table run_hold (
  id uuid primary key,
  run_id uuid not null references run (id) on delete cascade,
  -- Which wait of its run; a run that leaves has one more than it waited for without leaving.
  seq integer not null,
  kind text not null check (kind in ('time', 'question')),
  -- The run waits without leaving its client, as a test run does; it has no state here.
  in_place boolean not null,
  step_id text not null,
  step_name text,
  path text not null,
  question jsonb check ((kind = 'question') = (question is not null)),
  state text check (in_place = (state is null)),
  -- What the browser of a run without a profile kept.
  file_id uuid references file (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  due_at timestamptz(3) not null,
  -- Those who may answer have been told.
  told boolean not null default false,
  ending text check (ending in ('due', 'answered', 'timed_out')),
  ended_at timestamptz(3) check ((ending is null) = (ended_at is null)),
  answers jsonb,
  answered_by uuid references app_user (id) on delete set null
);
create unique index run_hold_of_run on run_hold (run_id, seq);
create index run_hold_file on run_hold (file_id) where file_id is not null;
create index run_hold_untold on run_hold (created_at) where kind = 'question' and not told;
create index run_hold_asked on run_hold (created_at desc, id) where kind = 'question';
create index run_hold_answered_by on run_hold (answered_by) where answered_by is not null;

-- The hold that an item waits in, or goes on from; and the one that a run goes on from.
alter table campaign_item add column hold_id uuid references run_hold (id) on delete set null;
create index campaign_item_hold on campaign_item (hold_id) where hold_id is not null;
alter table run add column hold_id uuid;
