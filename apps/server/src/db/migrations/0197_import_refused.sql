-- Rows that could not be taken are counted apart from those that were there already and left as they were.
alter table import add column refused integer not null default 0;
update import i set refused = r.n, skipped = greatest(i.skipped - r.n, 0)
  from (select import_id, count(*)::int as n from import_row where outcome = 'refused' group by 1) r
  where r.import_id = i.id;
