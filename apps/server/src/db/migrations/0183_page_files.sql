-- A file that a person gave to a page of a browser they had in hand: it goes after a day.
alter table file drop constraint file_purpose_check;
alter table file add constraint file_purpose_check check (purpose in ('upload', 'run', 'snapshot', 'video', 'page'));
create index file_pages_by_owner on file (owner_id) include (size) where purpose = 'page';
