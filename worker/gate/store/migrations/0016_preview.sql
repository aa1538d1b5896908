-- What was read of the present state when a call began to wait. It is emptied with the call.

CREATE TABLE previews (
  id TEXT PRIMARY KEY NOT NULL,
  tenant TEXT NOT NULL,
  at TEXT NOT NULL,
  read_call TEXT NOT NULL,
  text TEXT NOT NULL,
  problem TEXT NOT NULL
);

CREATE TRIGGER previews_emptied AFTER UPDATE ON proposals
WHEN NEW.prompt = '' AND OLD.prompt <> ''
BEGIN
  DELETE FROM previews WHERE id = NEW.id;
END;
