-- Passkeys: an approver with a key signs in with one instead. Each change writes its audit
-- entry in the same statement, by trigger. Rows are kept; one that was removed stays so.

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY NOT NULL, -- hash of the credential's id, so one credential is one person's
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,           -- the approver
  mark TEXT NOT NULL,           -- mark of the key with which it was added; it ends with that key
  label TEXT NOT NULL,
  credential TEXT NOT NULL,     -- JSON: its id, public key and flags
  counter INTEGER NOT NULL,     -- of signatures, at the last sign-in
  created TEXT NOT NULL,
  used TEXT NOT NULL,
  removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
  entry TEXT NOT NULL
);

CREATE INDEX passkeys_live ON passkeys (tenant, name) WHERE removed = 0;

CREATE TRIGGER passkeys_insert AFTER INSERT ON passkeys
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER passkeys_update AFTER UPDATE ON passkeys
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER passkeys_fixed BEFORE UPDATE ON passkeys
WHEN OLD.removed = 1 OR NEW.counter < OLD.counter OR NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.name <> OLD.name OR NEW.mark <> OLD.mark
  OR NEW.label <> OLD.label OR NEW.credential <> OLD.credential OR NEW.created <> OLD.created OR NEW.entry = OLD.entry
BEGIN
  SELECT RAISE(ABORT, 'a passkey is only used or removed');
END;

CREATE TRIGGER passkeys_keep BEFORE DELETE ON passkeys
BEGIN
  SELECT RAISE(ABORT, 'passkeys are kept');
END;
