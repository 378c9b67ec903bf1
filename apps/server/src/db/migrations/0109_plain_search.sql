-- What `q` looks into is kept in lower case: comparing then costs a tenth of comparing without regard to case.
do $$
declare
  found record;
begin
  for found in
    select c.oid::regclass as relation, pg_get_expr(d.adbin, d.adrelid) as expression
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attname = 'search' and a.attgenerated = 's'
  loop
    execute format('alter table %s alter column search set expression as (lower(%s))', found.relation, found.expression);
  end loop;
end $$;
