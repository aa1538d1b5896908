-- What the MCP proxy keeps: the definitions of tools, pinned by their hash, and
-- the states that came back and must not come back again.

CREATE TABLE definitions (
  tenant TEXT NOT NULL,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  hash TEXT NOT NULL,      -- as the server gave it last
  text TEXT NOT NULL,
  ok_hash TEXT NOT NULL,   -- as it was pinned or accepted
  ok_text TEXT NOT NULL,
  reviewed INTEGER NOT NULL,
  since TEXT NOT NULL,
  PRIMARY KEY (tenant, server, tool)
);

CREATE TABLE spent (
  id TEXT PRIMARY KEY NOT NULL,
  until TEXT NOT NULL
);

CREATE INDEX spent_until ON spent (until);
