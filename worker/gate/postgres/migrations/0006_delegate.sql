-- Delegations. See 0017_delegate.sql of the store.
CREATE TABLE delegations (
  id TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  tenant TEXT COLLATE "C" NOT NULL,
  giver TEXT COLLATE "C" NOT NULL,
  delegate TEXT COLLATE "C" NOT NULL,
  keys TEXT COLLATE "C" NOT NULL,
  delegate_keys TEXT COLLATE "C" NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  until TEXT COLLATE "C" NOT NULL,
  revoked INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  entry TEXT COLLATE "C" NOT NULL
);
CREATE INDEX delegations_live ON delegations (tenant, delegate) WHERE revoked = 0;

CREATE TRIGGER delegations_entry AFTER INSERT OR UPDATE ON delegations FOR EACH ROW EXECUTE FUNCTION write_entry();
CREATE TRIGGER delegations_fixed BEFORE UPDATE ON delegations FOR EACH ROW
WHEN (OLD.revoked = 1 OR NEW.revoked = 0 OR NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.giver <> OLD.giver OR NEW.delegate <> OLD.delegate
  OR NEW.keys <> OLD.keys OR NEW.delegate_keys <> OLD.delegate_keys OR NEW.created <> OLD.created OR NEW.until <> OLD.until OR NEW.entry = OLD.entry)
EXECUTE FUNCTION refuse('a delegation only ends');
CREATE TRIGGER delegations_keep BEFORE DELETE ON delegations FOR EACH ROW EXECUTE FUNCTION refuse('delegations are kept');
