-- How much of an upload has arrived is told beside its video.
alter table video_upload add column received bigint not null default 0;
