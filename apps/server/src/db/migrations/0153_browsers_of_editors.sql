-- A browser may also be handed to somebody from a workflow's editor: to point at an element, or to record steps. Such a one may
-- be fresh, of no profile.
alter table attended_run add column purpose text not null default 'signIn' check (purpose in ('signIn', 'pick', 'record'));
alter table attended_run add column workflow_id uuid references workflow (id) on delete cascade;
alter table attended_run alter column profile_id drop not null;
alter table attended_run add constraint attended_run_of_profile_or_workflow
  check (case when purpose = 'signIn' then profile_id is not null and workflow_id is null else workflow_id is not null end);
create index attended_run_by_workflow on attended_run (workflow_id) where workflow_id is not null;
