-- Running counts: each row has the number of the rows of its rule and key up to itself that
-- are not failed, and the sum of their amounts. The rows in a window are then counted from
-- its two ends, so that a claim takes the same time after a million others.

ALTER TABLE marks ADD COLUMN running INTEGER NOT NULL DEFAULT 0;
ALTER TABLE marks ADD COLUMN total INTEGER NOT NULL DEFAULT 0;

UPDATE marks SET running = r.n, total = r.total
FROM (SELECT rowid AS row, sum(state <> 'failed') OVER keys AS n, sum(CASE WHEN state <> 'failed' THEN amount ELSE 0 END) OVER keys AS total
  FROM marks WINDOW keys AS (PARTITION BY tenant, rule, key ORDER BY at, rowid)) AS r
WHERE marks.rowid = r.row;

CREATE INDEX marks_state ON marks (tenant, rule, key, state, at);
CREATE INDEX marks_seen ON marks (tenant, rule, key, seen, at) WHERE seen <> '';

DROP TRIGGER proposals_marks;
DROP TRIGGER proposals_marked;

-- A row is never earlier than the rows of its key: when a clock is set back, nothing
-- leaves the window early.
CREATE TRIGGER proposals_marks AFTER UPDATE ON proposals
WHEN NEW.state = 'claimed' AND OLD.state <> 'claimed' AND NEW.marks <> ''
BEGIN
  INSERT INTO marks (tenant, rule, key, at, claim, amount, until, state, seen, running, total)
  SELECT NEW.tenant, j.value->>0, j.value->>1, max(j.value->>2, coalesce(m.at, '')), NEW.id, CAST(j.value->>3 AS INTEGER), j.value->>4, 'claimed', '',
    coalesce(m.running, 0) + 1, coalesce(m.total, 0) + CAST(j.value->>3 AS INTEGER)
  FROM json_each(NEW.marks) AS j LEFT JOIN marks AS m ON m.rowid =
    (SELECT rowid FROM marks WHERE tenant = NEW.tenant AND rule = j.value->>0 AND key = j.value->>1 ORDER BY at DESC, rowid DESC LIMIT 1);
END;

-- A failed call is taken out of the rows from its own on.
CREATE TRIGGER proposals_marked AFTER UPDATE ON proposals
WHEN NEW.state IN ('executed','failed','ambiguous') AND OLD.state <> NEW.state
BEGIN
  UPDATE marks SET state = NEW.state,
    seen = CASE WHEN NEW.marks = '' THEN '' ELSE coalesce((SELECT value->>5 FROM json_each(NEW.marks) WHERE value->>0 = marks.rule), '') END
  WHERE claim = NEW.id;
  UPDATE marks SET running = marks.running - 1, total = marks.total - f.amount
  FROM (SELECT rowid AS row, tenant, rule, key, at, amount FROM marks WHERE claim = NEW.id) AS f
  WHERE NEW.state = 'failed' AND marks.tenant = f.tenant AND marks.rule = f.rule AND marks.key = f.key AND (marks.at > f.at OR marks.at = f.at AND marks.rowid >= f.row);
END;
