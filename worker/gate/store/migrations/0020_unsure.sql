-- Calls that were handed out and of which nobody knows whether they ran, by agent and tool: a
-- question about the same call says so.

CREATE INDEX proposals_unsure ON proposals (tenant, principal, tool, created) WHERE state IN ('claimed', 'ambiguous');
