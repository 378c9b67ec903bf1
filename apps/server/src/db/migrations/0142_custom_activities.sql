-- A custom activity is a document as a workflow is: a draft, and releases that are its versions. What tells them apart
-- is the kind; only an activity has a category.
alter table workflow add column kind text not null default 'workflow' check (kind in ('workflow', 'activity'));
alter table workflow add column category text;
alter table workflow add constraint workflow_category check ((kind = 'activity') = (category is not null));
create index workflow_custom on workflow (name, id) where kind = 'activity' and deleted_at is null;
