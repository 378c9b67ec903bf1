-- The console's menu as the installation arranged it, every save a version. Without a tree it is the shipped one again.
create table route_tree (
  version integer primary key,
  tree jsonb,
  note text not null default '',
  restored integer,
  created_at timestamptz(3) not null default now(),
  created_by uuid
);
