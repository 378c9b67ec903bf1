-- People and roles stand in the trash of all kinds too.
create index app_user_trash on app_user (deleted_at) where deleted_at is not null;
create index role_trash on role (deleted_at) where deleted_at is not null;
