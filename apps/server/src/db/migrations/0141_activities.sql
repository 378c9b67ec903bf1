-- Activities of the installation: which are switched off, and which steps every release holds.

-- A row where somebody changed it: by a type of the catalogue, or by the id of a custom activity.
create table activity_setting (
  activity text primary key,
  enabled boolean not null default true,
  version integer not null default 2,
  updated_at timestamptz(3) not null default now(),
  updated_by uuid
);

-- The steps of each release, so that who uses an activity and what became of it need no document. A step that is
-- switched off does nothing and is not here.
create table release_step (
  workflow_id uuid not null,
  release integer not null,
  step_id text not null,
  -- A type of the catalogue, or the id of the custom activity that the step is of.
  activity text not null,
  -- What the step runs within its run: another workflow, or the body of a custom activity; without a number, the newest.
  called uuid,
  called_release integer,
  primary key (workflow_id, release, step_id)
);
create index release_step_by_activity on release_step (activity, workflow_id, release);

create function steps_of(document jsonb)
returns table (step_id text, activity text, called uuid, called_release integer) language sql immutable as $$
  select s.step ->> 'id',
    case when s.step ->> 'type' = 'custom-activity' then coalesce(s.step #>> '{state,activityId}', 'custom-activity')
      else s.step ->> 'type' end,
    case when s.called ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then s.called::uuid end,
    case when jsonb_typeof(s.number) = 'number' then (s.number #>> '{}')::numeric::integer end
  from (
    select step,
      case step ->> 'type' when 'call-workflow' then step #>> '{state,workflowId}'
        when 'custom-activity' then step #>> '{state,activityId}' end as called,
      case step ->> 'type' when 'call-workflow' then step #> '{state,release}'
        when 'custom-activity' then step #> '{state,version}' end as number
    from jsonb_array_elements(document -> 'activities') step
    where step -> 'disabled' is distinct from 'true'::jsonb
  ) s
$$;

create function keep_release_steps() returns trigger language plpgsql as $$
begin
  insert into release_step (workflow_id, release, step_id, activity, called, called_release)
  select new.workflow_id, new.number, s.step_id, s.activity, s.called, s.called_release from steps_of(new.document) s
  on conflict do nothing;
  return null;
end $$;
create trigger workflow_release_steps after insert on workflow_release
  for each row execute function keep_release_steps();

insert into release_step (workflow_id, release, step_id, activity, called, called_release)
select r.workflow_id, r.number, s.step_id, s.activity, s.called, s.called_release
from workflow_release r cross join lateral steps_of(r.document) s
on conflict do nothing;

-- The activity that is switched off and that runs of this release would come to, also within what it calls.
create function held_back_by(workflow uuid, release integer) returns text language sql stable as $$
  with recursive held (workflow_id, release) as (
    select $1, $2
    union
    select s.called, coalesce(s.called_release, w.published_release)
    from held h
    join release_step s on s.workflow_id = h.workflow_id and s.release = h.release and s.called is not null
    join workflow w on w.id = s.called
  )
  select off.activity from activity_setting off
  where not off.enabled and exists (
    select 1 from held h join release_step s on s.workflow_id = h.workflow_id and s.release = h.release
    where s.activity = off.activity)
  order by off.activity limit 1
$$;
