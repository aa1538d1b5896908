-- Equal calls: the digest of a call in its canonical spelling, and that of the call that the agent
-- proposed, which differs from it after an edit. Rows of before have neither: there the digest of
-- the bytes counts.

ALTER TABLE proposals ADD COLUMN same TEXT NOT NULL DEFAULT '';
ALTER TABLE proposals ADD COLUMN same_root TEXT NOT NULL DEFAULT '';

CREATE TRIGGER proposals_same BEFORE UPDATE ON proposals
WHEN NEW.same <> OLD.same OR NEW.same_root <> OLD.same_root
BEGIN
  SELECT RAISE(ABORT, 'what was shown never changes');
END;
