-- Every column that a list of resources sorts by has an index that serves it both ways: what may be null comes first upwards
-- and last downwards, and what many records have in common is followed by when they were made, which also serves a list that
-- is filtered by it. When an account was last used and a client last seen have none: every run and every heartbeat write
-- them, and with an index each such write would enter all the other indexes of the table anew.
drop index if exists account_by_status, account_by_type, account_by_channel, account_by_use;
create index account_by_status on account (status, created_at, id) where deleted_at is null;
create index account_by_type on account (type, created_at, id) where deleted_at is null;
create index account_by_channel on account (channel_name nulls first, id) where deleted_at is null;

drop index if exists client_by_owner;
create index client_by_owner on client (owner_id, created_at, id) where deleted_at is null;
create index client_by_updated on client (updated_at, id) where deleted_at is null;
create index client_by_key on client (client_key, id) where deleted_at is null;
create index client_by_os on client (os, created_at, id) where deleted_at is null;
create index client_by_thread on client (thread, created_at, id) where deleted_at is null;
create index client_by_tag on client using gin (tags) where deleted_at is null;
create index client_trash on client (deleted_at) where deleted_at is not null;

drop index if exists profile_by_status;
create index profile_by_status on profile (status, created_at, id) where deleted_at is null;
create index profile_by_browser on profile (browser_type, created_at, id) where deleted_at is null;

drop index if exists phone_by_status, phone_by_country;
create index phone_by_status on phone (status, created_at, id) where deleted_at is null;
create index phone_by_country on phone (country_code, created_at, id) where deleted_at is null;
create index phone_by_label on phone (label nulls first, id) where deleted_at is null;

drop index if exists proxy_by_status, proxy_by_latency, proxy_by_check, proxy_by_expiry, proxy_by_source, proxy_by_country;
create index proxy_by_status on proxy (status, created_at, id) where deleted_at is null;
create index proxy_by_protocol on proxy (protocol, created_at, id) where deleted_at is null;
create index proxy_by_type on proxy (type, created_at, id) where deleted_at is null;
create index proxy_by_latency on proxy (latency_ms nulls first, id) where deleted_at is null;
create index proxy_by_check on proxy (checked_at nulls first, id) where deleted_at is null;
create index proxy_by_expiry on proxy (expires_at nulls first, id) where deleted_at is null;
create index proxy_by_source on proxy (proxy_source, created_at) where deleted_at is null;
create index proxy_by_country on proxy (country nulls first, created_at, id) where deleted_at is null;

drop index if exists video_by_status, video_by_channel;
create index video_by_status on video (status, created_at, id) where deleted_at is null;
create index video_by_channel on video (channel_name nulls first, id) where deleted_at is null;

-- The ledger of a campaign by state and by time; both serve what the two partial ones did.
drop index if exists campaign_item_open, campaign_item_settled;
create index campaign_item_by_state on campaign_item (campaign_id, state, seq);
create index campaign_item_settled on campaign_item (campaign_id, settled_at, seq);
