-- A test's verdict holds for what was run: it counts which version of the test that was. A new name is no change.
alter table workflow_test add column revision integer not null default 1;
alter table test_run add column test_revision integer;

-- Whether a release needs every test to have passed on its draft, and how the tests stood when one was made.
alter table workflow add column tests_must_pass boolean not null default false;
alter table workflow_release add column tests jsonb;
