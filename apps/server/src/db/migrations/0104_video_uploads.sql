-- Videos that arrive in parts, what is known of them once they are there, and the pictures that stand for them.

alter table video
  add column container text check (container in ('mp4', 'mov', 'webm', 'mkv')),
  add column failure text check (failure in ('wrong_checksum', 'not_a_video', 'abandoned', 'cancelled', 'unreadable')),
  add column poster text;

-- Uploads on their way. The id is the video's; the bytes lie in the data folder under it.
create table video_upload (
  id uuid primary key references video (id) on delete cascade,
  owner_id uuid not null,
  key text not null,
  name text not null,
  size bigint not null check (size > 0),
  -- What the sender says the bytes will be, and what they are.
  promised_sha256 text check (promised_sha256 ~ '^[0-9a-f]{64}$'),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null default now(),
  touched_at timestamptz(3) not null default now(),
  received_at timestamptz(3),
  finished_at timestamptz(3)
);
create unique index video_upload_by_key on video_upload (owner_id, key);
create index video_upload_by_touch on video_upload (touched_at);

create table video_poster (
  video_id uuid primary key references video (id) on delete cascade,
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp')),
  bytes bytea not null,
  hash text not null,
  updated_at timestamptz(3) not null
);

-- A file that was uploaded as a video is that video's alone, and goes with it.
alter table file drop constraint file_purpose_check;
alter table file add constraint file_purpose_check check (purpose in ('upload', 'run', 'snapshot', 'video'));
create index file_videos_by_owner on file (owner_id) include (size) where purpose = 'video';

create function video_file_gone() returns trigger language plpgsql as $$
begin
  delete from file f where f.id = old.file_id and f.purpose = 'video'
    and not exists (select 1 from video v where v.file_id = f.id);
  return null;
end
$$;
create trigger video_file_gone after delete on video for each row
  when (old.file_id is not null) execute function video_file_gone();
create trigger video_file_replaced after update of file_id on video for each row
  when (old.file_id is not null and old.file_id is distinct from new.file_id) execute function video_file_gone();
