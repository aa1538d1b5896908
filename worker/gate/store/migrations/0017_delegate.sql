-- Delegations: an approver leaves decisions to another one until a time. Each change writes
-- its audit entry in the same statement, by trigger. Rows are kept; one that was revoked
-- stays so.

CREATE TABLE delegations (
  id TEXT PRIMARY KEY NOT NULL,
  tenant TEXT NOT NULL,
  giver TEXT NOT NULL,
  delegate TEXT NOT NULL,
  keys TEXT NOT NULL,          -- marks of the giver's keys; without one of them it has ended
  delegate_keys TEXT NOT NULL, -- those of the delegate; "" for one without keys
  created TEXT NOT NULL,
  until TEXT NOT NULL,
  revoked INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  entry TEXT NOT NULL
);

CREATE INDEX delegations_live ON delegations (tenant, delegate) WHERE revoked = 0;

CREATE TRIGGER delegations_insert AFTER INSERT ON delegations
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER delegations_update AFTER UPDATE ON delegations
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER delegations_fixed BEFORE UPDATE ON delegations
WHEN OLD.revoked = 1 OR NEW.revoked = 0 OR NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.giver <> OLD.giver OR NEW.delegate <> OLD.delegate
  OR NEW.keys <> OLD.keys OR NEW.delegate_keys <> OLD.delegate_keys OR NEW.created <> OLD.created OR NEW.until <> OLD.until OR NEW.entry = OLD.entry
BEGIN
  SELECT RAISE(ABORT, 'a delegation only ends');
END;

CREATE TRIGGER delegations_keep BEFORE DELETE ON delegations
BEGIN
  SELECT RAISE(ABORT, 'delegations are kept');
END;
