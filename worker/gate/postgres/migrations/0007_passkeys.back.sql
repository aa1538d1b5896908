-- The rows say who signs in, so they are not dropped.
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM passkeys) THEN
    RAISE EXCEPTION 'the database has passkeys';
  END IF;
END $$;

DROP TABLE passkeys;
