-- Mail, one-time links, and settings that hold a secret.

-- A setting beside which a secret is kept; the secret is sealed and never shown.
create table guarded_setting (
  key text primary key,
  value jsonb not null,
  sealed text,
  updated_at timestamptz(3) not null default now(),
  updated_by uuid
);

-- Mail is written here by the transaction that wants it and sent by a job. The text may hold a one-time link: it is sealed,
-- and erased once the mail was sent.
create table mail (
  id uuid primary key,
  kind text not null,
  user_id uuid references app_user (id) on delete cascade,
  to_address text not null,
  subject text not null,
  sealed_text text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'kept')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3)
);
create index mail_by_time on mail (created_at desc, id desc);
create index mail_by_user on mail (user_id);

-- What a link given to one person is good for, once. Kept as SHA-256; used ones stay for a while, to be told from wrong ones.
create table one_time_link (
  hash bytea primary key,
  purpose text not null,
  user_id uuid not null references app_user (id) on delete cascade,
  created_at timestamptz(3) not null,
  created_by uuid,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index one_time_link_by_user on one_time_link (user_id, purpose);
create index one_time_link_by_end on one_time_link (expires_at);

-- Passwords a person had before; the newest few may not be taken again.
create table password_history (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  hash text not null,
  replaced_at timestamptz(3) not null
);
create index password_history_by_user on password_history (user_id, id desc);
