-- Where a run that did not succeed stood, as its agent told it; and from where an item is tried again, given to its runs.
alter table run add column checkpoint jsonb;
alter table campaign_item add column start_at text;
