-- The line of proxies is written by the hundred thousand. Whoever takes one that is gone puts it out, so nothing need be
-- looked up for each row.
alter table proxy_due drop constraint proxy_due_proxy_id_fkey, drop constraint proxy_due_check_id_fkey;
