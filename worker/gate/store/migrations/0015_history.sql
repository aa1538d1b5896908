-- What the search among settled calls reads: newest first in a tenant, of a tool or of an
-- agent. Each search examines a bounded part of one of these, from a place on.

CREATE INDEX proposals_newest ON proposals (tenant, created, id);
CREATE INDEX proposals_tool ON proposals (tenant, tool, created, id);
CREATE INDEX proposals_agent ON proposals (tenant, principal, created, id);
