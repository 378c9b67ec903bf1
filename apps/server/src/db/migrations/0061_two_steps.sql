-- The second step of signing in: authenticator apps, recovery codes, passkeys.

-- When the person last showed in this session who they are.
alter table session add column confirmed_at timestamptz(3) not null default now();
alter table role add column requires_two_steps boolean not null default false;

create table totp_factor (
  user_id uuid primary key references app_user (id) on delete cascade,
  sealed_secret text not null,
  created_at timestamptz(3) not null,
  -- Null until a code has shown that the authenticator works.
  confirmed_at timestamptz(3),
  -- The half minute of the newest code that was taken; it and earlier ones are taken no more.
  last_step bigint not null default 0
);

create table recovery_code (
  user_id uuid not null references app_user (id) on delete cascade,
  hash bytea not null,
  used_at timestamptz(3),
  primary key (user_id, hash)
);

create table passkey (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  backed_up boolean not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index passkey_by_user on passkey (user_id, id);

-- What a browser is asked to sign when a passkey is made, for each session the newest.
create table passkey_challenge (
  session_id uuid primary key references session (id) on delete cascade,
  challenge text not null,
  expires_at timestamptz(3) not null
);

-- A sign-in whose password was right and whose second step is open.
create table sign_in_ticket (
  hash bytea primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  remembered boolean not null,
  enrol boolean not null,
  attempts integer not null default 0,
  challenge text,
  expires_at timestamptz(3) not null
);
create index sign_in_ticket_by_user on sign_in_ticket (user_id);
create index sign_in_ticket_by_end on sign_in_ticket (expires_at);
