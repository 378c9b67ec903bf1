-- Kept sessions as runs left them: of each profile and account the one in use, the one before it, and one that was pinned.
create table profile_snapshot (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references profile (id) on delete cascade,
  account_id uuid references account (id) on delete cascade,
  username text,
  file_id uuid not null unique references file (id),
  saved_at timestamptz(3) not null,
  expires_at timestamptz(3),
  -- When another took its place; null for the one in use.
  replaced_at timestamptz(3),
  pinned boolean not null default false
);
create index profile_snapshot_of on profile_snapshot (profile_id, account_id);
create index profile_snapshot_by_account on profile_snapshot (account_id) where account_id is not null;
create unique index profile_snapshot_pinned on profile_snapshot (profile_id, account_id) nulls not distinct where pinned;

insert into profile_snapshot (profile_id, account_id, username, file_id, saved_at)
select profile_id, account_id, username, file_id, saved_at from profile_session;

-- Earlier ones were left behind by name alone.
delete from file f where f.purpose = 'snapshot' and not exists (select 1 from profile_session s where s.file_id = f.id);

create function profile_file_gone(gone uuid) returns void language sql as $$
  delete from file f where f.id = gone and f.purpose = 'snapshot'
    and not exists (select 1 from profile_session s where s.file_id = gone)
    and not exists (select 1 from profile_snapshot s where s.file_id = gone);
$$;
create function profile_snapshot_gone() returns trigger language plpgsql as $$
begin
  perform profile_file_gone(old.file_id);
  return null;
end
$$;
create trigger profile_snapshot_gone after delete on profile_snapshot for each row execute function profile_snapshot_gone();
create trigger profile_session_gone after delete on profile_session for each row execute function profile_snapshot_gone();

create function profile_snapshot_prune(profile uuid, account uuid) returns void language sql as $$
  delete from profile_snapshot where id in (
    select s.id from profile_snapshot s
    where s.profile_id = profile and s.account_id is not distinct from account and not s.pinned and s.replaced_at is not null
    order by s.replaced_at desc, s.saved_at desc offset 1);
$$;

create function profile_session_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    -- A run that changed nothing pushes nothing out.
    if exists (select 1 from file a join file b on a.sha256 = b.sha256 where a.id = old.file_id and b.id = new.file_id)
      and not exists (select 1 from profile_snapshot s where s.file_id = new.file_id) then
      update profile_snapshot set file_id = new.file_id, saved_at = new.saved_at, expires_at = new.expires_at,
        username = new.username where file_id = old.file_id;
      perform profile_file_gone(old.file_id);
      return null;
    end if;
    update profile_snapshot set replaced_at = now() where file_id = old.file_id;
  end if;
  insert into profile_snapshot (profile_id, account_id, username, file_id, saved_at, expires_at)
  values (new.profile_id, new.account_id, new.username, new.file_id, new.saved_at, new.expires_at)
  on conflict (file_id) do update set replaced_at = null;
  perform profile_snapshot_prune(new.profile_id, new.account_id);
  return null;
end
$$;
create trigger profile_session_made after insert on profile_session for each row execute function profile_session_kept();
create trigger profile_session_replaced after update of file_id on profile_session for each row
  when (old.file_id is distinct from new.file_id) execute function profile_session_kept();
