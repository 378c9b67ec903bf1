-- The newest records that have tags, for what is suggested while somebody writes one.
create index client_tagged on client (id) where deleted_at is null and tags <> '{}';
create index proxy_tagged on proxy (id) where deleted_at is null and tags <> '{}';
create index profile_tagged on profile (id) where deleted_at is null and tags <> '{}';
create index phone_tagged on phone (id) where deleted_at is null and tags <> '{}';
create index account_tagged on account (id) where deleted_at is null and tags <> '{}';
create index video_tagged on video (id) where deleted_at is null and tags <> '{}';
