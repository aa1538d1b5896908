-- Who waits, by agent: each agent has a quota, and lists its own.
CREATE INDEX proposals_waiting ON proposals (tenant, principal, created, id) WHERE state = 'pending';
