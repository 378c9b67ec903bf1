-- The trash of all kinds is one list, the latest first; the resources' tables have such an index each.
create index campaign_trash on campaign (deleted_at) where deleted_at is not null;
create index workflow_trash on workflow (deleted_at) where deleted_at is not null;
create index project_trash on project (deleted_at) where deleted_at is not null;
