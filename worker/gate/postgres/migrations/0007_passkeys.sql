-- Passkeys. See 0018_passkeys.sql of the store.
CREATE TABLE passkeys (
  id TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  tenant TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  mark TEXT COLLATE "C" NOT NULL,
  label TEXT COLLATE "C" NOT NULL,
  credential TEXT COLLATE "C" NOT NULL,
  counter BIGINT NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  used TEXT COLLATE "C" NOT NULL,
  removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
  entry TEXT COLLATE "C" NOT NULL
);
CREATE INDEX passkeys_live ON passkeys (tenant, name) WHERE removed = 0;

CREATE TRIGGER passkeys_entry AFTER INSERT OR UPDATE ON passkeys FOR EACH ROW EXECUTE FUNCTION write_entry();
CREATE TRIGGER passkeys_fixed BEFORE UPDATE ON passkeys FOR EACH ROW
WHEN (OLD.removed = 1 OR NEW.counter < OLD.counter OR NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.name <> OLD.name OR NEW.mark <> OLD.mark
  OR NEW.label <> OLD.label OR NEW.credential <> OLD.credential OR NEW.created <> OLD.created OR NEW.entry = OLD.entry)
EXECUTE FUNCTION refuse('a passkey is only used or removed');
CREATE TRIGGER passkeys_keep BEFORE DELETE ON passkeys FOR EACH ROW EXECUTE FUNCTION refuse('passkeys are kept');
