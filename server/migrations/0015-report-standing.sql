-- Which reports hide their target (docs/decisions/0034-abuse-and-overload.md).

-- The network that an open report came from, to count independent reporters. Deleted when the report is decided.
alter table reports add network text check (length(network) <= 50);
alter table reports add constraint decided_reports_have_no_network check (status = 'open' or network is null);
