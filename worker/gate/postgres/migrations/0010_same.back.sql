DROP TRIGGER proposals_same ON proposals;
ALTER TABLE proposals DROP COLUMN same, DROP COLUMN same_root;
