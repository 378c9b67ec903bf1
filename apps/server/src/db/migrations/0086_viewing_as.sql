-- A session in which its person looks on as somebody else.
create table session_view (
  session_id uuid primary key references session (id) on delete cascade,
  user_id uuid not null references app_user (id) on delete cascade,
  reason text not null,
  started_at timestamptz(3) not null,
  ends_at timestamptz(3) not null
);
create index session_view_by_user on session_view (user_id);
