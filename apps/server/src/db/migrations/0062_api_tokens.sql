-- Tokens for programs that call on somebody's behalf. The secret is kept as its SHA-256 only.
create table api_token (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  name text not null,
  hash bytea not null unique,
  start text not null,
  scopes jsonb not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index api_token_by_user on api_token (user_id, id);
