-- Who is frozen: an agent, or with agent '' every agent of a tenant. Each change
-- writes its audit entry in the same statement, by trigger. Rows are kept.

CREATE TABLE freezes (
  tenant TEXT NOT NULL,
  agent TEXT NOT NULL,
  frozen INTEGER NOT NULL CHECK (frozen IN (0, 1)),
  approver TEXT NOT NULL,
  reason TEXT NOT NULL,
  since TEXT NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (tenant, agent)
);

CREATE TRIGGER freezes_insert AFTER INSERT ON freezes
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER freezes_update AFTER UPDATE ON freezes
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER freezes_keep BEFORE DELETE ON freezes
BEGIN
  SELECT RAISE(ABORT, 'freezes are lifted, not removed');
END;

-- A frozen agent's call is not claimed, whatever the program does.
CREATE TRIGGER proposals_frozen BEFORE UPDATE ON proposals
WHEN NEW.state = 'claimed' AND OLD.state <> 'claimed'
  AND EXISTS (SELECT 1 FROM freezes WHERE tenant = NEW.tenant AND agent IN ('', NEW.principal) AND frozen = 1)
BEGIN
  SELECT RAISE(ABORT, 'a frozen agent claims nothing');
END;

-- What people denied, to be found when it is proposed again.
CREATE INDEX proposals_denied ON proposals (tenant, principal, tool, created) WHERE state = 'denied';
