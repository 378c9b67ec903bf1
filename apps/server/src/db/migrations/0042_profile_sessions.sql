-- What a profile's browser keeps (cookies, storage) belongs to whom it was signed in as: a profile that several accounts
-- take turns in must never begin a run of one account with the session of another.
create table profile_session (
  profile_id uuid not null references profile (id) on delete cascade,
  account_id uuid references account (id) on delete cascade,
  -- The account's user name at that time: an account that is renamed is somebody else on the site.
  username text,
  file_id uuid not null references file (id),
  saved_at timestamptz(3) not null default now(),
  unique nulls not distinct (profile_id, account_id)
);
create index profile_session_by_account on profile_session (account_id) where account_id is not null;
create index profile_session_by_file on profile_session (file_id);
create index profile_session_by_time on profile_session (profile_id, saved_at desc);

insert into profile_session (profile_id, file_id, saved_at)
select id, snapshot_file_id, coalesce(snapshot_at, now()) from profile where snapshot_file_id is not null;

alter table profile drop column snapshot_file_id, drop column snapshot_at;
