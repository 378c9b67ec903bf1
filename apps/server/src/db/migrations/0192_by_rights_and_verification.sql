-- Lists are sorted by both, those without included; the index of rights up to now knew only those with an end.
drop index video_by_rights;
create index video_by_rights on video (rights_until nulls first, id) where deleted_at is null;
create index phone_by_verified on phone (verified_at nulls first, id) where deleted_at is null;
