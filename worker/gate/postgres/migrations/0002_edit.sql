-- An edit: an approver's call in the place of one that waits. See 0013_edit.sql of the
-- store.
ALTER TABLE proposals ADD COLUMN replaced TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE proposals ADD COLUMN edit_of TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE proposals ADD COLUMN stands_for TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE proposals ADD COLUMN supersede TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE FUNCTION check_edit() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state <> 'pending' OR NOT EXISTS (SELECT 1 FROM proposals AS o WHERE o.id = NEW.edit_of AND o.tenant = NEW.tenant
    AND o.state = 'pending' AND o.replaced = '' AND o.principal = NEW.principal AND o.approver = NEW.approver AND o.tool = NEW.tool
    AND o.session = NEW.session AND o.batch = NEW.batch AND o.place = NEW.place AND o.expires = NEW.expires AND o.digest <> NEW.digest) THEN
    RAISE EXCEPTION 'an edit replaces a call that waits';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER proposals_edit BEFORE INSERT ON proposals FOR EACH ROW WHEN (NEW.edit_of <> '') EXECUTE FUNCTION check_edit();

CREATE FUNCTION settle_edited() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE proposals SET state = 'denied', replaced = NEW.id, due = '', rev = NEW.supersede::json->>0, life = NEW.supersede::json->>1, entry = NEW.supersede::json->>2
  WHERE id = NEW.edit_of;
  RETURN NULL;
END $$;
CREATE TRIGGER proposals_superseded AFTER INSERT ON proposals FOR EACH ROW WHEN (NEW.edit_of <> '') EXECUTE FUNCTION settle_edited();

CREATE TRIGGER proposals_replaced BEFORE UPDATE ON proposals FOR EACH ROW
WHEN (NEW.edit_of <> OLD.edit_of OR NEW.stands_for <> OLD.stands_for OR NEW.supersede <> OLD.supersede AND NOT (NEW.supersede = '' AND NEW.prompt = ''))
EXECUTE FUNCTION refuse('what was shown never changes');

CREATE FUNCTION check_replaced() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (OLD.replaced = '' AND OLD.state = 'pending' AND NEW.state = 'denied'
    AND EXISTS (SELECT 1 FROM proposals AS n WHERE n.id = NEW.replaced AND n.edit_of = OLD.id)) THEN
    RAISE EXCEPTION 'what was shown never changes';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER proposals_replacement BEFORE UPDATE ON proposals FOR EACH ROW
WHEN (NEW.replaced <> OLD.replaced) EXECUTE FUNCTION check_replaced();
