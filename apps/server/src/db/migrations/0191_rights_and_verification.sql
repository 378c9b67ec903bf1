-- From whom the rights to a video come, under which licence, and until when; after that, campaigns do not use it.
alter table video add column rights_source text, add column licence text, add column rights_until timestamptz(3);
create index video_by_rights on video (rights_until, id) where deleted_at is null and rights_until is not null;

-- In what a number's card is, and since when it is known to be answered by its owner: however its status is set.
alter table phone add column device_note text, add column verified_at timestamptz(3);
-- Of those that are verified already it is not known better.
update phone set verified_at = updated_at where status = 'verified';
create function keep_phone_verified() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status is not distinct from new.status then
    return new;
  end if;
  if new.status = 'new' then
    new.verified_at := null;
  elsif new.status = 'verified' and new.verified_at is null then
    new.verified_at := now();
  end if;
  return new;
end $$;
create trigger phone_verified before insert or update of status on phone for each row execute function keep_phone_verified();
