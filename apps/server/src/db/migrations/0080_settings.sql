-- A setting that was set back keeps who did so; a change carries the version that it was made on.
alter table setting alter column value drop not null;
alter table setting add column version integer not null default 1;
