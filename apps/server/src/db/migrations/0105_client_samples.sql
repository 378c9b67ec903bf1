-- How clients were, once a minute, for a week.
create table client_sample (
  client_id uuid not null references client (id) on delete cascade,
  at timestamptz(0) not null,
  cpu real,
  mem_mb integer,
  busy smallint not null,
  slots smallint not null,
  primary key (client_id, at)
);
create index client_sample_by_time on client_sample using brin (at);
-- One's own codes that are still good.
create index join_code_by_owner on join_code (owner_id, expires_at) where used_at is null;
