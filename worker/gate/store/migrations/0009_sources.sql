-- Where the values of a call come from, as JSON: shown with the call, fixed as it is,
-- and emptied with it.
ALTER TABLE proposals ADD COLUMN sources TEXT NOT NULL DEFAULT '';

CREATE TRIGGER proposals_sources BEFORE UPDATE ON proposals
WHEN NEW.sources <> OLD.sources AND NOT (NEW.sources = '' AND NEW.prompt = '')
  OR NEW.prompt = '' AND NEW.sources <> ''
BEGIN
  SELECT RAISE(ABORT, 'what was shown never changes');
END;
