-- Saved views of lists: search, filters, sort and columns under a name.
create table list_view (
  id uuid primary key,
  owner_id uuid not null references app_user (id) on delete cascade,
  list text not null,
  name text not null,
  shared boolean not null,
  state jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index list_view_name on list_view (owner_id, list, lower(name));
create index list_view_shared on list_view (list, name) where shared;

-- The view that a list opens with: one for a person, which counts before one for a role.
create table list_view_default (
  list text not null,
  view_id uuid not null references list_view (id) on delete cascade,
  user_id uuid references app_user (id) on delete cascade,
  role_id uuid references role (id) on delete cascade,
  check (num_nonnulls(user_id, role_id) = 1)
);
create unique index list_view_default_of_user on list_view_default (user_id, list) where user_id is not null;
create unique index list_view_default_of_role on list_view_default (role_id, list) where role_id is not null;
create index list_view_default_by_view on list_view_default (view_id);
