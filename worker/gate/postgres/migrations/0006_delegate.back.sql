-- The rows say who delegated to whom, so they are not dropped.
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM delegations) THEN
    RAISE EXCEPTION 'the database has delegations';
  END IF;
END $$;

DROP TABLE delegations;
