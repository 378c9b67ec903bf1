-- The address of the page before each step of a test run: a later one of a part begins there.
alter table test_run add column pages jsonb;
