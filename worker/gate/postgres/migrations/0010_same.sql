-- Equal calls: the digest of a call in its canonical spelling, and that of the call that the agent
-- proposed, which differs from it after an edit. Rows of before have neither: there the digest of
-- the bytes counts.

ALTER TABLE proposals ADD COLUMN same TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE proposals ADD COLUMN same_root TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE TRIGGER proposals_same BEFORE UPDATE ON proposals FOR EACH ROW
WHEN (NEW.same <> OLD.same OR NEW.same_root <> OLD.same_root)
EXECUTE FUNCTION refuse('what was shown never changes');
