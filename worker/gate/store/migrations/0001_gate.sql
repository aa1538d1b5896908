-- The gate's tables, for SQLite and for D1.
--
-- Times and counters are TEXT, because D1's numbers pass through float64; times
-- have 16 digits, so that the order of the texts is the order of the times.
-- Every change of a proposal writes its audit entry in the same statement, by
-- trigger: D1 has no transactions, and a change without its entry must not be
-- possible. What must never happen is refused here too, whatever the program does.

CREATE TABLE proposals (
  id TEXT PRIMARY KEY NOT NULL,
  tenant TEXT NOT NULL,
  batch TEXT NOT NULL,
  place INTEGER NOT NULL,
  size INTEGER NOT NULL,
  session TEXT NOT NULL,
  principal TEXT NOT NULL,
  approver TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments TEXT NOT NULL,
  digest TEXT NOT NULL,
  prompt TEXT NOT NULL,
  prompt_hash TEXT NOT NULL,
  needs INTEGER NOT NULL,
  why TEXT NOT NULL,
  created TEXT NOT NULL,
  expires TEXT NOT NULL,
  grace TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending','approved','denied','expired','cancelled','claimed','executed','failed','ambiguous')),
  rev TEXT NOT NULL,
  life TEXT NOT NULL,
  due TEXT NOT NULL,
  entry TEXT NOT NULL
);

CREATE INDEX proposals_state ON proposals (tenant, state, created, id);
CREATE INDEX proposals_batch ON proposals (batch, place) WHERE batch <> '';
CREATE INDEX proposals_due ON proposals (due) WHERE due <> '';

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL,
  entry TEXT NOT NULL,
  n TEXT NOT NULL DEFAULT '',
  prev TEXT NOT NULL DEFAULT '',
  hash TEXT NOT NULL DEFAULT ''
);

CREATE INDEX audit_tenant ON audit (tenant, seq);
CREATE INDEX audit_open ON audit (tenant) WHERE hash = '';

CREATE TABLE idempotency (
  tenant TEXT NOT NULL,
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  ids TEXT NOT NULL,
  created TEXT NOT NULL,
  PRIMARY KEY (tenant, principal, key)
);

CREATE INDEX idempotency_age ON idempotency (created);

CREATE TABLE webhooks (
  name TEXT PRIMARY KEY NOT NULL,
  cursor INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  due TEXT NOT NULL
);

CREATE TRIGGER proposals_insert AFTER INSERT ON proposals
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER proposals_update AFTER UPDATE ON proposals
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
END;

CREATE TRIGGER proposals_terminal BEFORE UPDATE ON proposals
WHEN OLD.state IN ('denied','expired','cancelled','executed','failed','ambiguous')
BEGIN
  SELECT RAISE(ABORT, 'a terminal state never changes');
END;

CREATE TRIGGER proposals_fixed BEFORE UPDATE ON proposals
WHEN NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.batch <> OLD.batch OR NEW.place <> OLD.place
  OR NEW.principal <> OLD.principal OR NEW.approver <> OLD.approver OR NEW.tool <> OLD.tool
  OR NEW.arguments <> OLD.arguments OR NEW.digest <> OLD.digest OR NEW.prompt <> OLD.prompt
  OR NEW.needs <> OLD.needs OR NEW.why <> OLD.why OR NEW.expires <> OLD.expires OR NEW.entry = OLD.entry
BEGIN
  SELECT RAISE(ABORT, 'what was shown never changes');
END;

CREATE TRIGGER proposals_claim BEFORE UPDATE ON proposals
WHEN NEW.state = 'claimed' AND OLD.state <> 'approved'
BEGIN
  SELECT RAISE(ABORT, 'only an approved call is claimed');
END;

CREATE TRIGGER proposals_keep BEFORE DELETE ON proposals
BEGIN
  SELECT RAISE(ABORT, 'proposals are kept');
END;

CREATE TRIGGER audit_keep BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit is append-only');
END;

CREATE TRIGGER audit_seal BEFORE UPDATE ON audit
WHEN OLD.hash <> '' OR NEW.hash = '' OR NEW.seq <> OLD.seq OR NEW.tenant <> OLD.tenant OR NEW.entry <> OLD.entry
BEGIN
  SELECT RAISE(ABORT, 'the audit is append-only');
END;
