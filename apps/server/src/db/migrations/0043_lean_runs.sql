-- A run is written five times in its life. Four of those should stay within its page and touch no index, so no index may
-- hang on a column that moves before the end: neither `cycle`, nor `held_until`, nor `started_at`.
alter table run add constraint run_finished_has_time check ((cycle = 'finished') = (finished_at is not null));
drop index run_unfinished;
drop index run_held;
drop index run_by_account;
create index run_unfinished on run (client_id) where finished_at is null;
create index run_by_account on run (account_id, queued_at desc) where account_id is not null;
-- A run's item is of its campaign already.
alter table run drop constraint run_campaign_id_fkey;

-- Every run also writes when its account was last used. With an index on that, each such write would enter all the other
-- indexes of the table anew, the trigram ones too; without it, it stays within its page.
drop index account_by_use;
alter table account set (fillfactor = 85);

-- How many resources of each kind a campaign has, kept by the triggers below: lists and pages show it all the time.
create table campaign_set (
  campaign_id uuid not null references campaign (id) on delete cascade,
  kind text not null,
  size integer not null,
  primary key (campaign_id, kind)
);
insert into campaign_set (campaign_id, kind, size)
select campaign_id, kind, count(*) from campaign_resource group by campaign_id, kind;

create function campaign_set_grows() returns trigger language plpgsql as $$
begin
  insert into campaign_set as s (campaign_id, kind, size)
  select campaign_id, kind, count(*) from changed group by campaign_id, kind order by campaign_id, kind
  on conflict (campaign_id, kind) do update set size = s.size + excluded.size;
  return null;
end $$;
create function campaign_set_shrinks() returns trigger language plpgsql as $$
begin
  update campaign_set s set size = s.size - c.n
  from (select campaign_id, kind, count(*) as n from changed group by campaign_id, kind) c
  where s.campaign_id = c.campaign_id and s.kind = c.kind;
  return null;
end $$;
create trigger campaign_set_counted_insert after insert on campaign_resource
  referencing new table as changed for each statement execute function campaign_set_grows();
create trigger campaign_set_counted_delete after delete on campaign_resource
  referencing old table as changed for each statement execute function campaign_set_shrinks();
