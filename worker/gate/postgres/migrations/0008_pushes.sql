-- Browsers for messages. See 0019_pushes.sql of the store.
CREATE TABLE pushes (
  id TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  tenant TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  via TEXT COLLATE "C" NOT NULL,
  label TEXT COLLATE "C" NOT NULL,
  endpoint TEXT COLLATE "C" NOT NULL,
  keys TEXT COLLATE "C" NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  until TEXT COLLATE "C" NOT NULL,
  removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
  entry TEXT COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX pushes_endpoint ON pushes (endpoint) WHERE removed = 0;
CREATE INDEX pushes_live ON pushes (tenant, name) WHERE removed = 0;

CREATE TRIGGER pushes_entry AFTER INSERT OR UPDATE ON pushes FOR EACH ROW EXECUTE FUNCTION write_entry();
CREATE TRIGGER pushes_fixed BEFORE UPDATE ON pushes FOR EACH ROW
WHEN (OLD.removed = 1 OR NEW.removed = 0 OR NEW.endpoint <> '' OR NEW.keys <> '' OR NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.name <> OLD.name
  OR NEW.via <> OLD.via OR NEW.label <> OLD.label OR NEW.created <> OLD.created OR NEW.until <> OLD.until OR NEW.entry = OLD.entry)
EXECUTE FUNCTION refuse('a subscription only ends');
CREATE TRIGGER pushes_keep BEFORE DELETE ON pushes FOR EACH ROW EXECUTE FUNCTION refuse('subscriptions are kept');
