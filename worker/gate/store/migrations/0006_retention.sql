-- Retention: what is emptied keeps its place and its hash. A settled proposal may
-- lose its arguments, its prompt and the reasons, with an audit entry as for every
-- change; a chained row of the audit may lose its entry, nothing else.

CREATE TABLE retention (
  tenant TEXT NOT NULL,
  what TEXT NOT NULL,
  seq INTEGER NOT NULL,    -- up to which row of the audit it has been done
  PRIMARY KEY (tenant, what)
);

CREATE INDEX proposals_full ON proposals (created) WHERE prompt <> '';

DROP TRIGGER proposals_terminal;
CREATE TRIGGER proposals_terminal BEFORE UPDATE ON proposals
WHEN OLD.state IN ('denied','expired','cancelled','executed','failed','ambiguous')
  AND NOT (NEW.state = OLD.state AND NEW.prompt = '' AND OLD.prompt <> '' AND NEW.arguments = '')
BEGIN
  SELECT RAISE(ABORT, 'a terminal state never changes');
END;

DROP TRIGGER proposals_fixed;
CREATE TRIGGER proposals_fixed BEFORE UPDATE ON proposals
WHEN NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.batch <> OLD.batch OR NEW.place <> OLD.place
  OR NEW.principal <> OLD.principal OR NEW.approver <> OLD.approver OR NEW.tool <> OLD.tool
  OR NEW.digest <> OLD.digest OR NEW.prompt_hash <> OLD.prompt_hash OR NEW.needs <> OLD.needs OR NEW.why <> OLD.why
  OR NEW.expires <> OLD.expires OR NEW.entry = OLD.entry
  OR (NEW.arguments <> OLD.arguments OR NEW.prompt <> OLD.prompt)
    AND NOT (OLD.state IN ('denied','expired','cancelled','executed','failed','ambiguous') AND NEW.arguments = '' AND NEW.prompt = '')
BEGIN
  SELECT RAISE(ABORT, 'what was shown never changes');
END;

DROP TRIGGER audit_seal;
CREATE TRIGGER audit_seal BEFORE UPDATE ON audit
WHEN NEW.seq <> OLD.seq OR NEW.tenant <> OLD.tenant OR NEW.hash = ''
  OR OLD.hash <> '' AND (NEW.hash <> OLD.hash OR NEW.prev <> OLD.prev OR NEW.n <> OLD.n OR NEW.entry <> '')
  OR OLD.hash = '' AND NEW.entry <> OLD.entry
BEGIN
  SELECT RAISE(ABORT, 'the audit is append-only');
END;
