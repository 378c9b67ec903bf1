-- What `q` looks into, with the index of letters, stands apart from the records: entering a text there costs more than all
-- other indexes together, and a record that changes in another way now leaves it alone. The column `search` of a record
-- stays, for looking into records that are already at hand. When a record was made never changes, so it stands here too: most
-- lists begin with the newest, and what many records have in common is put in that order without reading them.
create function enter_search_texts() returns trigger language plpgsql as $$
begin
  execute format('insert into %I (id, text, created_at) select id, search, created_at from added', tg_argv[0]);
  return null;
end $$;

create function take_out_search_texts() returns trigger language plpgsql as $$
begin
  execute format('delete from %I t using removed r where t.id = r.id', tg_argv[0]);
  return null;
end $$;

create function change_search_text() returns trigger language plpgsql as $$
begin
  execute format('update %I set text = $1 where id = $2', tg_argv[0]) using new.search, new.id;
  return null;
end $$;

do $$
declare
  kind text;
  texts text;
begin
  foreach kind in array array['client', 'account', 'profile', 'phone', 'proxy', 'video'] loop
    texts := kind || '_search';
    execute format('drop index %I', texts);
    execute format('create table %I (
      id uuid primary key, text text not null, created_at timestamptz(3) not null)', texts);
    execute format('create trigger %I after insert on %I referencing new table as added
      for each statement execute function enter_search_texts(%L)', kind || '_search_enter', kind, texts);
    execute format('create trigger %I after delete on %I referencing old table as removed
      for each statement execute function take_out_search_texts(%L)', kind || '_search_take_out', kind, texts);
    execute format('create trigger %I after update on %I for each row when (old.search is distinct from new.search)
      execute function change_search_text(%L)', kind || '_search_change', kind, texts);
    execute format('insert into %I (id, text, created_at) select id, search, created_at from %I', texts, kind);
    execute format('create index %I on %I using gin (text gin_trgm_ops)', texts || '_letters', texts);
  end loop;
end $$;
