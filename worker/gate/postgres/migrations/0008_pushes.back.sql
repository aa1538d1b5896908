-- The rows say to which browsers messages go, so they are not dropped.
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM pushes) THEN
    RAISE EXCEPTION 'the database has subscriptions of browsers';
  END IF;
END $$;

DROP TABLE pushes;
