-- How many records of each kind everybody has, so that a list knows its total without counting. A change adds a line with
-- its difference, so that nobody waits for anybody; the sum of the lines one can see is exact at any moment, also within the
-- transaction that changes. From time to time the lines are put together.
create table record_count (
  kind text not null,
  owner_id uuid,
  trashed boolean not null,
  n bigint not null
);
create index record_count_by_kind on record_count (kind, trashed, owner_id) include (n);

create function count_added_records() returns trigger language plpgsql as $$
begin
  insert into record_count (kind, owner_id, trashed, n)
    select tg_table_name, owner_id, deleted_at is not null, count(*) from added group by 2, 3;
  return null;
end $$;

create function count_removed_records() returns trigger language plpgsql as $$
begin
  insert into record_count (kind, owner_id, trashed, n)
    select tg_table_name, owner_id, deleted_at is not null, -count(*) from removed group by 2, 3;
  return null;
end $$;

create function count_moved_record() returns trigger language plpgsql as $$
begin
  insert into record_count (kind, owner_id, trashed, n) values
    (tg_table_name, old.owner_id, old.deleted_at is not null, -1),
    (tg_table_name, new.owner_id, new.deleted_at is not null, 1);
  return null;
end $$;

-- Puts the lines together; what others add meanwhile stays apart until the next time.
create function gather_record_counts() returns void language sql as $$
  with gone as (delete from record_count returning *)
  insert into record_count (kind, owner_id, trashed, n)
    select kind, owner_id, trashed, sum(n) from gone group by kind, owner_id, trashed having sum(n) <> 0;
$$;

do $$
declare
  kind text;
begin
  foreach kind in array array['client', 'account', 'profile', 'phone', 'proxy', 'video'] loop
    execute format('create trigger %I after insert on %I referencing new table as added
      for each statement execute function count_added_records()', kind || '_count_added', kind);
    execute format('create trigger %I after delete on %I referencing old table as removed
      for each statement execute function count_removed_records()', kind || '_count_removed', kind);
    execute format('create trigger %I after update of deleted_at, owner_id on %I for each row
      when ((old.deleted_at is null) <> (new.deleted_at is null) or old.owner_id is distinct from new.owner_id)
      execute function count_moved_record()', kind || '_count_moved', kind);
    -- Last: making a trigger waits for whoever is writing and keeps others from it until the end.
    execute format('insert into record_count (kind, owner_id, trashed, n)
      select %L, owner_id, deleted_at is not null, count(*) from %I group by 2, 3', kind, kind);
  end loop;
end $$;
