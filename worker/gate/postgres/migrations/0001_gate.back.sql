-- Nothing is left behind the first migration, so it goes back only from an empty gate.
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM audit) THEN
    RAISE EXCEPTION 'the database has an audit';
  END IF;
END $$;

DROP TABLE proposals, audit, numbers, idempotency, webhooks, turns, definitions, spent, fatigue, retention, health, secrets, freezes, marks;
DROP FUNCTION each_row, refuse, audit_number, write_entry, refuse_frozen, count_claim, recount, count_outcome, count_late;
