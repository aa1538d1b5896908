-- Remembered decisions. See 0014_remember.sql of the store.
CREATE TABLE remembered (
  id TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  tenant TEXT COLLATE "C" NOT NULL,
  agent TEXT COLLATE "C" NOT NULL,
  session TEXT COLLATE "C" NOT NULL,
  tool TEXT COLLATE "C" NOT NULL,
  bounds TEXT COLLATE "C" NOT NULL,
  definition TEXT COLLATE "C" NOT NULL,
  policy TEXT COLLATE "C" NOT NULL,
  rule TEXT COLLATE "C" NOT NULL,
  approver TEXT COLLATE "C" NOT NULL,
  keys TEXT COLLATE "C" NOT NULL,
  source TEXT COLLATE "C" NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  until TEXT COLLATE "C" NOT NULL,
  revoked INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  entry TEXT COLLATE "C" NOT NULL
);
CREATE INDEX remembered_live ON remembered (tenant, agent, session) WHERE revoked = 0;

CREATE TRIGGER remembered_entry AFTER INSERT OR UPDATE ON remembered FOR EACH ROW EXECUTE FUNCTION write_entry();
CREATE TRIGGER remembered_fixed BEFORE UPDATE ON remembered FOR EACH ROW
WHEN (OLD.revoked = 1 OR NEW.revoked = 0 OR NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.agent <> OLD.agent OR NEW.session <> OLD.session OR NEW.tool <> OLD.tool
  OR NEW.bounds <> OLD.bounds OR NEW.definition <> OLD.definition OR NEW.policy <> OLD.policy OR NEW.rule <> OLD.rule OR NEW.approver <> OLD.approver
  OR NEW.keys <> OLD.keys OR NEW.source <> OLD.source OR NEW.created <> OLD.created OR NEW.until <> OLD.until OR NEW.entry = OLD.entry)
EXECUTE FUNCTION refuse('a remembered yes only ends');
CREATE TRIGGER remembered_keep BEFORE DELETE ON remembered FOR EACH ROW EXECUTE FUNCTION refuse('remembered decisions are kept');
