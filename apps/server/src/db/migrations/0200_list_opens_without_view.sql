-- Somebody's list may open without any view, also where a role of theirs has one for it.
alter table list_view_default alter column view_id drop not null;
alter table list_view_default add check (view_id is not null or user_id is not null);
