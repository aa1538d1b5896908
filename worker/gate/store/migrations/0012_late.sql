-- A call that was reported as failed is free again. If a later report says that it ran, or that
-- it may have run, it counts again, from the statement on that writes this report into the
-- audit. It stays failed, and is no earlier step that was executed.

CREATE TRIGGER audit_late AFTER INSERT ON audit
WHEN instr(NEW.entry, '"event":"late-outcome"') > 0 AND NEW.entry->>'status' IN ('executed','ambiguous')
BEGIN
  UPDATE marks SET running = marks.running + 1, total = marks.total + f.amount
  FROM (SELECT rowid AS row, tenant, rule, key, at, amount FROM marks WHERE claim = NEW.entry->>'id' AND tenant = NEW.tenant AND state = 'failed') AS f
  WHERE marks.tenant = f.tenant AND marks.rule = f.rule AND marks.key = f.key AND (marks.at > f.at OR marks.at = f.at AND marks.rowid >= f.row);
  UPDATE marks SET state = 'ambiguous' WHERE claim = NEW.entry->>'id' AND tenant = NEW.tenant AND state = 'failed';
END;
