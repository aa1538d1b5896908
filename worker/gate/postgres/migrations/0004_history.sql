-- The indexes of the search among settled calls. See 0015_history.sql of the store.
CREATE INDEX proposals_newest ON proposals (tenant, created, id);
CREATE INDEX proposals_tool ON proposals (tenant, tool, created, id);
CREATE INDEX proposals_agent ON proposals (tenant, principal, created, id);
