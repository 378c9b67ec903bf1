-- A release can be withdrawn: it is no longer offered, and stays what it is. Nothing else of it ever changes.
alter table workflow_release add column withdrawn_at timestamptz(3);

create or replace function workflow_release_is_final() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'withdrawn_at' = to_jsonb(old) - 'withdrawn_at' then
    return new;
  end if;
  raise exception 'release % of workflow % is immutable', old.number, old.workflow_id using errcode = 'restrict_violation';
end $$;
