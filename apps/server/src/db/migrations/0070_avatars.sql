-- The pictures that people show of themselves: at most 2 MB each, mostly a few kilobytes.
create table avatar (
  user_id uuid primary key references app_user (id) on delete cascade,
  content_type text not null,
  bytes bytea not null,
  hash text not null,
  updated_at timestamptz(3) not null
);
