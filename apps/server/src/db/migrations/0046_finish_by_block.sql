-- Reports ask for stretches of time, and runs end about in the order in which they lie on the disk: a summary of each
-- block finds them, and costs next to nothing when a run ends.
drop index run_by_finish;
create index run_by_finish on run using brin (finished_at) with (pages_per_range = 32, autosummarize = on);
