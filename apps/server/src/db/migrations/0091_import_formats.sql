-- Workbooks and JSON come in too.
alter table import drop constraint import_format_check;
alter table import add check (format in ('csv', 'xlsx', 'json', 'ndjson', 'lines'));
