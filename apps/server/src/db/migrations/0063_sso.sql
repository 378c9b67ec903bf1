-- Single sign-on by OpenID Connect.
create table sso_provider (
  id uuid primary key,
  owner_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  tags text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz(3),
  key text not null unique,
  name text not null,
  issuer text not null,
  app_key text not null,
  sealed_secret text,
  scopes text not null,
  sign_up boolean not null,
  role_key text not null,
  enabled boolean not null
);

-- Who somebody is for a provider: its subject, never an address.
create table sso_identity (
  provider_id uuid not null references sso_provider (id) on delete cascade,
  subject text not null,
  user_id uuid not null references app_user (id) on delete cascade,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  primary key (provider_id, subject),
  unique (provider_id, user_id)
);
create index sso_identity_by_user on sso_identity (user_id);

-- A browser on its way to a provider and back.
create table sso_attempt (
  state_hash bytea primary key,
  provider_id uuid not null references sso_provider (id) on delete cascade,
  browser_hash bytea not null,
  nonce text not null,
  sealed_verifier text not null,
  remembered boolean not null,
  next_url text not null,
  expires_at timestamptz(3) not null
);
create index sso_attempt_by_end on sso_attempt (expires_at);
