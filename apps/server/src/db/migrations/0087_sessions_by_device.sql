-- Whether somebody signed in with a browser before.
create index session_by_device on session (user_id, user_agent);
