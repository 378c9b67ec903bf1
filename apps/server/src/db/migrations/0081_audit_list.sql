-- The audit log as a list: newest first, and by what one looks for.
drop index audit_by_time;
create index audit_by_time on audit (at, id);
create index audit_by_label on audit (label, at, id);
create index audit_by_feature on audit (feature, at, id);
create index audit_by_address on audit (address, at, id);
