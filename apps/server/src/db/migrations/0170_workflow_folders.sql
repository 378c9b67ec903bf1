-- Workflows lie in folders, and are found by what is written in their steps too.
alter table workflow add column folder text not null default '';
create index workflow_folder on workflow (folder) where deleted_at is null and folder <> '';

-- Names of the steps and every text in their settings, one line each. What is beyond the limit is not searched.
create function workflow_words(draft jsonb) returns text language sql immutable parallel safe as $$
  select left(coalesce(string_agg(word #>> '{}', E'\n'), ''), 100000)
  from jsonb_path_query(draft, 'strict $.activities[*].**{1 to last} ? (@.type() == "string")', '{}', true) word
$$;

alter table workflow alter column search
  set expression as (lower(name || E'\n' || description || E'\n' || workflow_words(draft)));
