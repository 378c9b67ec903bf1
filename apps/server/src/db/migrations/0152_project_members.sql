-- People with a role within a project. The owner is among them, as a manager, once there is anybody else.
create table project_member (
  project_id uuid not null references project (id) on delete cascade,
  user_id uuid not null references app_user (id) on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'operator', 'manager')),
  added_at timestamptz(3) not null default now(),
  added_by uuid,
  primary key (project_id, user_id)
);
-- Read whenever somebody's rules are worked out.
create index project_member_by_user on project_member (user_id, role, project_id);

-- Whoever owns a project that others are in holds it as its manager, also after it changed hands.
create function project_owner_is_manager() returns trigger language plpgsql as $$
begin
  insert into project_member (project_id, user_id, role)
    select p.id, p.owner_id, 'manager' from project p join app_user u on u.id = p.owner_id
    where p.id = case tg_table_name when 'project' then (to_jsonb(new) ->> 'id')::uuid else (to_jsonb(new) ->> 'project_id')::uuid end
      and exists (select 1 from project_member m where m.project_id = p.id)
    on conflict (project_id, user_id) do update set role = 'manager' where project_member.role <> 'manager';
  return null;
end $$;
create trigger project_member_with_owner after insert on project_member for each row
  when (pg_trigger_depth() < 1) execute function project_owner_is_manager();
create trigger project_member_new_owner after update of owner_id on project for each row
  when (new.owner_id is distinct from old.owner_id) execute function project_owner_is_manager();
