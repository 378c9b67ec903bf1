-- A test run is a run of a workflow without a release: what it runs, with what, and for whom stands beside it.
alter table run drop constraint run_of_workflow_or_attended;
alter table run add constraint run_of_release_test_or_person
  check (case when release is null then campaign_id is null and item_id is null else workflow_id is not null end);

create table test_run (
  run_id uuid primary key references run (id) on delete cascade,
  workflow_id uuid not null references workflow (id) on delete cascade,
  started_by uuid not null references app_user (id) on delete cascade,
  -- What is run, as it was when it began; never changed.
  document jsonb not null,
  hash text not null,
  scope jsonb not null,
  -- As with items, what is gone stays named.
  account_id uuid,
  profile_id uuid,
  proxy_id uuid,
  phone_id uuid,
  video_id uuid,
  inputs jsonb not null default '{}',
  -- Inputs that are secret, sealed; forgotten with the run's end.
  secret_inputs text,
  -- Outputs that stand in for steps, and the variables and outputs that it begins with.
  pins jsonb not null default '{}',
  base jsonb,
  -- The variables and outputs at its end, as its agent told them.
  vars jsonb,
  steps jsonb,
  at timestamptz(3) not null default now()
);
create index test_run_by_person on test_run (workflow_id, started_by, at desc);
create index test_run_of_person on test_run (started_by);
create index test_run_by_hash on test_run (hash);

-- What a test run ran is evidence, as a release is.
create function test_run_keeps() returns trigger language plpgsql as $$
begin
  raise exception 'what test run % runs cannot be changed', old.run_id using errcode = 'restrict_violation';
end $$;
create trigger test_run_keeps before update on test_run for each row
  when ((old.workflow_id, old.started_by, old.hash, old.scope, old.inputs, old.pins, old.base) is distinct from
      (new.workflow_id, new.started_by, new.hash, new.scope, new.inputs, new.pins, new.base) or old.document is distinct from new.document)
  execute function test_run_keeps();

create function test_run_ends() returns trigger language plpgsql as $$
begin
  update test_run set secret_inputs = null where run_id = new.id and secret_inputs is not null;
  return null;
end $$;
create trigger run_test_ends after update of cycle on run for each row
  when (new.release is null and new.workflow_id is not null and new.cycle = 'finished' and old.cycle <> 'finished')
  execute function test_run_ends();

-- A test run goes with its workflow, and its files with it.
create function test_run_goes() returns trigger language plpgsql as $$
begin
  delete from run where id = old.run_id;
  delete from file where run_id = old.run_id and purpose = 'run';
  return null;
end $$;
create trigger test_run_goes after delete on test_run for each row execute function test_run_goes();

-- An output that stands in for a step in the test runs of one person.
create table test_pin (
  workflow_id uuid not null references workflow (id) on delete cascade,
  user_id uuid not null references app_user (id) on delete cascade,
  activity_id text not null,
  output jsonb not null,
  run_id uuid,
  at timestamptz(3) not null default now(),
  primary key (workflow_id, user_id, activity_id)
);
create index test_pin_of_person on test_pin (user_id);
