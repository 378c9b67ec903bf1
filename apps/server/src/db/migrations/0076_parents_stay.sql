-- Who stands above somebody binds them: such a person goes only after those below have somebody else above them.
alter table app_user drop constraint app_user_parent_id_fkey,
  add constraint app_user_parent_id_fkey foreign key (parent_id) references app_user (id) on delete restrict;
