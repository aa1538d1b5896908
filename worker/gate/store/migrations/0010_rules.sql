-- What the rules of a policy count: one row for each claim and rule, kept for the rule's
-- window. A row is written and settled by the statement that claims or settles the call,
-- by trigger, so that no claim is without its rows. Values are keyed hashes.

ALTER TABLE proposals ADD COLUMN marks TEXT NOT NULL DEFAULT '';

CREATE TABLE marks (
  tenant TEXT NOT NULL,
  rule TEXT NOT NULL,
  key TEXT NOT NULL,
  at TEXT NOT NULL,
  claim TEXT NOT NULL,
  amount INTEGER NOT NULL,  -- millionths, at most 15 digits
  until TEXT NOT NULL,
  state TEXT NOT NULL,
  seen TEXT NOT NULL,
  PRIMARY KEY (tenant, rule, key, claim)
);

CREATE INDEX marks_at ON marks (tenant, rule, key, at);
CREATE INDEX marks_claim ON marks (claim);
CREATE INDEX marks_until ON marks (until);

-- A row is never earlier than the rows of its key: when a clock is set back, nothing
-- leaves the window early.
CREATE TRIGGER proposals_marks AFTER UPDATE ON proposals
WHEN NEW.state = 'claimed' AND OLD.state <> 'claimed' AND NEW.marks <> ''
BEGIN
  INSERT INTO marks (tenant, rule, key, at, claim, amount, until, state, seen)
  SELECT NEW.tenant, value->>0, value->>1,
    max(value->>2, coalesce((SELECT max(m.at) FROM marks AS m WHERE m.tenant = NEW.tenant AND m.rule = value->>0 AND m.key = value->>1), '')),
    NEW.id, CAST(value->>3 AS INTEGER), value->>4, 'claimed', ''
  FROM json_each(NEW.marks);
END;

CREATE TRIGGER proposals_marked AFTER UPDATE ON proposals
WHEN NEW.state IN ('executed','failed','ambiguous') AND OLD.state <> NEW.state
BEGIN
  UPDATE marks SET state = NEW.state,
    seen = CASE WHEN NEW.marks = '' THEN '' ELSE coalesce((SELECT value->>5 FROM json_each(NEW.marks) WHERE value->>0 = marks.rule), '') END
  WHERE claim = NEW.id;
END;

-- Secrets that belong to the database and not to a process, such as the key of the
-- hashes above.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
);
