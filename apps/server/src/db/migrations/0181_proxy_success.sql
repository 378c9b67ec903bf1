-- How many of a proxy's checks of the last day went well: counted by the hour in the row itself, with the share that lists show and
-- sort by, and when its oldest hour is a day old.
alter table proxy
  add column tally jsonb not null default '[]',
  add column success_ratio_24h real,
  add column tally_until timestamptz(3);
create index proxy_by_success on proxy (success_ratio_24h nulls first, id) where deleted_at is null;
create index proxy_by_tally on proxy (tally_until) where tally_until is not null;
