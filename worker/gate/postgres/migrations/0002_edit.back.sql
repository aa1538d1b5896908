-- A program before this migration would show an edited call as an own one, so there must be
-- none.
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM proposals WHERE edit_of <> '' OR replaced <> '') THEN
    RAISE EXCEPTION 'the database has edited calls';
  END IF;
END $$;

DROP TRIGGER proposals_edit ON proposals;
DROP TRIGGER proposals_superseded ON proposals;
DROP TRIGGER proposals_replaced ON proposals;
DROP TRIGGER proposals_replacement ON proposals;
DROP FUNCTION check_edit, settle_edited, check_replaced;
ALTER TABLE proposals DROP COLUMN replaced, DROP COLUMN edit_of, DROP COLUMN stands_for, DROP COLUMN supersede;
