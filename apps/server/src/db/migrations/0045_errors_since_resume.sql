-- A campaign that stopped after too many errors goes on when a person says so; only errors after that count again.
alter table campaign add column failed_before integer not null default 0;
alter table campaign add column settled_before integer not null default 0;
