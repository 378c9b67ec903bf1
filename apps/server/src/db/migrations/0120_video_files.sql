-- The file of a video belongs to whoever the video belongs to, also after that changed.
create function video_file_owner() returns trigger language plpgsql as $$
begin
  update file set owner_id = new.owner_id where id = new.file_id and purpose = 'video';
  return null;
end
$$;
create trigger video_file_owner after update of owner_id on video for each row
  when (new.file_id is not null and old.owner_id is distinct from new.owner_id) execute function video_file_owner();
