-- Browsers to which the gate sends messages for an approver (Web Push). Each change writes its
-- audit entry in the same statement, by trigger. Rows are kept, but the address and the keys of
-- one that has ended are emptied.

CREATE TABLE pushes (
  id TEXT PRIMARY KEY NOT NULL,
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,           -- the approver
  via TEXT NOT NULL,            -- mark of the session in which it was added
  label TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  keys TEXT NOT NULL,           -- JSON: the browser's public key and secret
  created TEXT NOT NULL,
  until TEXT NOT NULL,          -- '' for no end by time
  removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
  entry TEXT NOT NULL
);

CREATE UNIQUE INDEX pushes_endpoint ON pushes (endpoint) WHERE removed = 0;
CREATE INDEX pushes_live ON pushes (tenant, name) WHERE removed = 0;

CREATE TRIGGER pushes_insert AFTER INSERT ON pushes
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER pushes_update AFTER UPDATE ON pushes
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER pushes_fixed BEFORE UPDATE ON pushes
WHEN OLD.removed = 1 OR NEW.removed = 0 OR NEW.endpoint <> '' OR NEW.keys <> '' OR NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.name <> OLD.name
  OR NEW.via <> OLD.via OR NEW.label <> OLD.label OR NEW.created <> OLD.created OR NEW.until <> OLD.until OR NEW.entry = OLD.entry
BEGIN
  SELECT RAISE(ABORT, 'a subscription only ends');
END;

CREATE TRIGGER pushes_keep BEFORE DELETE ON pushes
BEGIN
  SELECT RAISE(ABORT, 'subscriptions are kept');
END;
