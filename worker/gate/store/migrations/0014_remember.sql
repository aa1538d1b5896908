-- Remembered decisions: a person's yes to more calls like one that was approved, of one
-- agent and session, within bounds and until a time. Each change writes its audit entry in
-- the same statement, by trigger. Rows are kept; one that was revoked stays so. A freeze
-- ends those that were given before it.

CREATE TABLE remembered (
  id TEXT PRIMARY KEY NOT NULL,
  tenant TEXT NOT NULL,
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  tool TEXT NOT NULL,
  bounds TEXT NOT NULL,
  definition TEXT NOT NULL,
  policy TEXT NOT NULL,
  rule TEXT NOT NULL,
  approver TEXT NOT NULL,
  keys TEXT NOT NULL,       -- marks of the approver's keys; without one of them it has ended
  source TEXT NOT NULL,
  created TEXT NOT NULL,
  until TEXT NOT NULL,
  revoked INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  entry TEXT NOT NULL
);

CREATE INDEX remembered_live ON remembered (tenant, agent, session) WHERE revoked = 0;

CREATE TRIGGER remembered_insert AFTER INSERT ON remembered
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER remembered_update AFTER UPDATE ON remembered
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER remembered_fixed BEFORE UPDATE ON remembered
WHEN OLD.revoked = 1 OR NEW.revoked = 0 OR NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.agent <> OLD.agent OR NEW.session <> OLD.session OR NEW.tool <> OLD.tool
  OR NEW.bounds <> OLD.bounds OR NEW.definition <> OLD.definition OR NEW.policy <> OLD.policy OR NEW.rule <> OLD.rule OR NEW.approver <> OLD.approver
  OR NEW.keys <> OLD.keys OR NEW.source <> OLD.source OR NEW.created <> OLD.created OR NEW.until <> OLD.until OR NEW.entry = OLD.entry
BEGIN
  SELECT RAISE(ABORT, 'a remembered yes only ends');
END;

CREATE TRIGGER remembered_keep BEFORE DELETE ON remembered
BEGIN
  SELECT RAISE(ABORT, 'remembered decisions are kept');
END;
