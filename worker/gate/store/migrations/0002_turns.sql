-- Turns of conversations that the chat proxy has answered itself or released:
-- what the model had said, and which proposals belong to it. The key is a hash
-- over the conversation up to and including the turn; the rows hold nothing that
-- allows a call, only where to find the proposals that may.

CREATE TABLE turns (
  tenant TEXT NOT NULL,
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  session TEXT NOT NULL,
  open TEXT NOT NULL,
  value TEXT NOT NULL,
  created TEXT NOT NULL,
  PRIMARY KEY (tenant, principal, key)
);

CREATE INDEX turns_open ON turns (tenant, principal, session) WHERE open <> '';
CREATE INDEX turns_age ON turns (created);
