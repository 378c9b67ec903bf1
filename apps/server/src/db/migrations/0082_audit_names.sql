-- Looking for a person in the audit log.
create index audit_by_name on audit using gin (actor_name gin_trgm_ops);
