-- What people are told, and what each chose about how the console looks.

-- A kind and its params, never a sentence: the console says it in the reader's language. Unread ones that belong together
-- are one row with a count.
create table notification (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null,
  params jsonb not null,
  feature text,
  record_id text,
  group_key text not null,
  count integer not null default 1,
  at timestamptz(3) not null default now(),
  read_at timestamptz(3)
);
create index notification_by_user on notification (user_id, at desc, id desc);
create unique index notification_unread on notification (user_id, group_key) where read_at is null;
create index notification_by_record on notification (record_id, kind, at desc) where record_id is not null;
create index notification_by_time on notification (at);

create table notification_mute (
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null,
  primary key (user_id, kind)
);

-- One row for each preference, so that of two devices that change different ones neither undoes the other.
create table user_preference (
  user_id uuid not null references app_user (id) on delete cascade,
  name text not null,
  value jsonb not null,
  updated_at timestamptz(3) not null default now(),
  primary key (user_id, name)
);
