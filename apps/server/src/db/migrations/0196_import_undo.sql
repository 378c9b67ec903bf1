-- What an import changed can be put back: how the record was, and the version that it has had since.
alter table import_row add column version integer, add column before jsonb;
create index import_row_updated on import_row (import_id, record_id) where outcome = 'updated';
