-- Commands to agents on their way between server processes: a table like hub_message, for each hub has its own. They
-- live for a minute and may be lost in a crash; an agent is told again with its next heartbeat.
create unlogged table hub_agent_message (
  id bigserial primary key,
  target text not null,
  record text not null,
  at timestamptz not null default now()
);
create index hub_agent_message_at_idx on hub_agent_message (at);
