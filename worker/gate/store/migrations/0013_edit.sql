-- An edit: an approver's call in the place of one that waits. The statement that inserts
-- the new call also settles the one before, by trigger, so that never both may run and
-- never neither stands. The one before is kept as denied, with the id of the new one, so
-- that a program of an older version does not run it either.

ALTER TABLE proposals ADD COLUMN replaced TEXT NOT NULL DEFAULT '';   -- id of the call in its place
ALTER TABLE proposals ADD COLUMN edit_of TEXT NOT NULL DEFAULT '';    -- id of the call before
ALTER TABLE proposals ADD COLUMN stands_for TEXT NOT NULL DEFAULT ''; -- digest of the call that the agent proposed
ALTER TABLE proposals ADD COLUMN supersede TEXT NOT NULL DEFAULT '';  -- rev, life and entry of the call before

CREATE TRIGGER proposals_edit BEFORE INSERT ON proposals
WHEN NEW.edit_of <> '' AND (NEW.state <> 'pending' OR NOT EXISTS (SELECT 1 FROM proposals AS o WHERE o.id = NEW.edit_of AND o.tenant = NEW.tenant
  AND o.state = 'pending' AND o.replaced = '' AND o.principal = NEW.principal AND o.approver = NEW.approver AND o.tool = NEW.tool
  AND o.session = NEW.session AND o.batch = NEW.batch AND o.place = NEW.place AND o.expires = NEW.expires AND o.digest <> NEW.digest))
BEGIN
  SELECT RAISE(ABORT, 'an edit replaces a call that waits');
END;

CREATE TRIGGER proposals_superseded AFTER INSERT ON proposals
WHEN NEW.edit_of <> ''
BEGIN
  UPDATE proposals SET state = 'denied', replaced = NEW.id, due = '', rev = NEW.supersede->>0, life = NEW.supersede->>1, entry = NEW.supersede->>2
  WHERE id = NEW.edit_of;
END;

CREATE TRIGGER proposals_replaced BEFORE UPDATE ON proposals
WHEN NEW.edit_of <> OLD.edit_of OR NEW.stands_for <> OLD.stands_for OR NEW.supersede <> OLD.supersede AND NOT (NEW.supersede = '' AND NEW.prompt = '')
  OR NEW.replaced <> OLD.replaced AND NOT (OLD.replaced = '' AND OLD.state = 'pending' AND NEW.state = 'denied'
    AND EXISTS (SELECT 1 FROM proposals AS n WHERE n.id = NEW.replaced AND n.edit_of = OLD.id))
BEGIN
  SELECT RAISE(ABORT, 'what was shown never changes');
END;
