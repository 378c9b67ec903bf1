-- One thing done to many records: how far it is, what it did with each, and how each was before.
create table bulk (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null,
  action text not null check (action in ('delete', 'restore', 'update', 'addTags', 'removeTags', 'undo')),
  fields text[] not null default '{}',
  tags text[] not null default '{}',
  -- Which records, and the fields with their values; sealed, because there may be passwords among them.
  input text,
  -- What an API token leaves of its person's rules.
  rules jsonb,
  state text not null default 'running' check (state in ('running', 'finished', 'failed', 'cancelled', 'undone')),
  -- Whether the chunks stand there; before, it is not known how many records match.
  listed boolean not null default false,
  total integer not null default 0,
  processed integer not null default 0,
  done integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  undoes uuid references bulk (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
create index bulk_by_user on bulk (user_id, created_at desc, id);
create index bulk_running on bulk (id) where state = 'running';
create index bulk_by_undone on bulk (undoes) where undoes is not null;
create index bulk_by_created on bulk (created_at);

-- The records that a large one is for, some thousand in a row.
create table bulk_chunk (
  bulk_id uuid not null references bulk (id) on delete cascade,
  n integer not null,
  ids uuid[] not null,
  primary key (bulk_id, n)
);

-- What became of each record: changed from `before` to the version `version`, or refused for `code`. It goes with its bulk by
-- a trigger: a foreign key would be looked up again for each of a hundred thousand rows.
create table bulk_row (
  bulk_id uuid not null,
  record_id uuid not null,
  version integer,
  before jsonb,
  code text,
  name text,
  primary key (bulk_id, record_id)
);
create index bulk_row_refused on bulk_row (bulk_id, record_id) where code is not null;

create function forget_bulk_rows() returns trigger language plpgsql as $$
begin
  delete from bulk_row r using gone g where r.bulk_id = g.id;
  return null;
end $$;
create trigger bulk_rows_forgotten after delete on bulk referencing old table as gone
  for each statement execute function forget_bulk_rows();
