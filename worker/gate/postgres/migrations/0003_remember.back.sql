-- The rows say who remembered what, so they are not dropped.
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM remembered) THEN
    RAISE EXCEPTION 'the database has remembered decisions';
  END IF;
END $$;

DROP TABLE remembered;
