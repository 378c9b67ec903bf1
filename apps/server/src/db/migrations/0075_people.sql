-- Sub-users, quotas, roles that people make, functions that are switched off.

-- Whose sub-user somebody is: they never hold more than this person, nor that person's own, and so on.
alter table app_user add column parent_id uuid references app_user (id) on delete set null;
create index app_user_by_parent on app_user (parent_id) where parent_id is not null;
create index app_user_by_owner on app_user (owner_id, created_at, id) where deleted_at is null;
create index app_user_search on app_user using gin
  ((username || ' ' || display_name || ' ' || coalesce(email, '')) gin_trgm_ops);

-- How many records of a kind somebody and all below them may have at once. No row: no limit of their own.
create table user_quota (
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null check (kind in ('clients', 'accounts', 'profiles', 'phones', 'proxies', 'videos', 'users')),
  max_count integer not null check (max_count >= 0),
  primary key (user_id, kind)
);

alter table role add column description text not null default '';

-- Functions that are not as the program has them. One that is off is there for administrators alone.
create table function_state (
  subject text primary key,
  enabled boolean not null,
  updated_at timestamptz(3) not null default now(),
  updated_by uuid
);
