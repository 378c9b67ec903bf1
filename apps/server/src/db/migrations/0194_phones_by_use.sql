-- When a run last used a number; those that none ever used come first where lists are sorted by it.
alter table phone add column last_used_at timestamptz(3);
update phone p set last_used_at = u.at
  from (
    select i.phone_id as id, max(r.finished_at) as at from campaign_item i join run r on r.item_id = i.id
    where i.phone_id is not null and r.started_at is not null and r.finished_at is not null group by 1) u
  where p.id = u.id;
create index phone_by_use on phone (last_used_at nulls first, id) where deleted_at is null;
