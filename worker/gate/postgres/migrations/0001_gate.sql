-- The gate's tables for PostgreSQL: those of worker/gate/store/migrations up to 0012, with
-- the same columns. Texts are compared byte by byte, as in SQLite. What must never happen is
-- refused here too, whatever a program does.

-- The number of the last row of the audit. Each transaction of a gate locks it first, so
-- that transactions take turns over all gates: what one of them counts or compares is not
-- changed by another one before it is done. So rows of the audit are numbered without
-- gaps, in the order in which they can be read.
CREATE TABLE numbers (
  name TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  seq BIGINT NOT NULL
);
INSERT INTO numbers VALUES ('audit', 0);

-- each_row is json_each of SQLite, for an array of arrays or objects.
CREATE FUNCTION each_row(list TEXT, OUT value JSON, OUT key BIGINT) RETURNS SETOF RECORD LANGUAGE SQL IMMUTABLE STRICT ROWS 10
AS 'SELECT e.value, e.place - 1 FROM json_array_elements(list::json) WITH ORDINALITY AS e (value, place)';

CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0];
END $$;

CREATE TABLE proposals (
  id TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  tenant TEXT COLLATE "C" NOT NULL,
  batch TEXT COLLATE "C" NOT NULL,
  place INTEGER NOT NULL,
  size INTEGER NOT NULL,
  session TEXT COLLATE "C" NOT NULL,
  principal TEXT COLLATE "C" NOT NULL,
  approver TEXT COLLATE "C" NOT NULL,
  tool TEXT COLLATE "C" NOT NULL,
  arguments TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  prompt TEXT COLLATE "C" NOT NULL,
  prompt_hash TEXT COLLATE "C" NOT NULL,
  needs INTEGER NOT NULL,
  why TEXT COLLATE "C" NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  expires TEXT COLLATE "C" NOT NULL,
  grace TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending','approved','denied','expired','cancelled','claimed','executed','failed','ambiguous')),
  rev TEXT COLLATE "C" NOT NULL,
  life TEXT COLLATE "C" NOT NULL,
  due TEXT COLLATE "C" NOT NULL,
  entry TEXT COLLATE "C" NOT NULL,
  sources TEXT COLLATE "C" NOT NULL DEFAULT '',
  marks TEXT COLLATE "C" NOT NULL DEFAULT '',
  rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE
);

CREATE INDEX proposals_state ON proposals (tenant, state, created, id);
CREATE INDEX proposals_batch ON proposals (batch, place) WHERE batch <> '';
CREATE INDEX proposals_due ON proposals (due) WHERE due <> '';
CREATE INDEX proposals_waiting ON proposals (tenant, principal, created, id) WHERE state = 'pending';
CREATE INDEX proposals_full ON proposals (created) WHERE prompt <> '';
CREATE INDEX proposals_denied ON proposals (tenant, principal, tool, created) WHERE state = 'denied';

CREATE TABLE audit (
  seq BIGINT PRIMARY KEY NOT NULL,
  tenant TEXT COLLATE "C" NOT NULL,
  entry TEXT COLLATE "C" NOT NULL,
  n TEXT COLLATE "C" NOT NULL DEFAULT '',
  prev TEXT COLLATE "C" NOT NULL DEFAULT '',
  hash TEXT COLLATE "C" NOT NULL DEFAULT ''
);

CREATE INDEX audit_tenant ON audit (tenant, seq);
CREATE INDEX audit_open ON audit (tenant, seq) WHERE hash = '';

CREATE FUNCTION audit_number() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE numbers SET seq = numbers.seq + 1 WHERE name = 'audit' RETURNING numbers.seq INTO STRICT NEW.seq;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_number BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_number();

CREATE TRIGGER audit_keep BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse('the audit is append-only');
CREATE TRIGGER audit_whole BEFORE TRUNCATE ON audit EXECUTE FUNCTION refuse('the audit is append-only');
CREATE TRIGGER audit_seal BEFORE UPDATE ON audit FOR EACH ROW
WHEN (NEW.seq <> OLD.seq OR NEW.tenant <> OLD.tenant OR NEW.hash = ''
  OR OLD.hash <> '' AND (NEW.hash <> OLD.hash OR NEW.prev <> OLD.prev OR NEW.n <> OLD.n OR NEW.entry <> '')
  OR OLD.hash = '' AND NEW.entry <> OLD.entry)
EXECUTE FUNCTION refuse('the audit is append-only');

CREATE TABLE idempotency (
  tenant TEXT COLLATE "C" NOT NULL,
  principal TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  body TEXT COLLATE "C" NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT COLLATE "C" NOT NULL,
  ids TEXT COLLATE "C" NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, principal, key)
);
CREATE INDEX idempotency_age ON idempotency (created);

CREATE TABLE webhooks (
  name TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  cursor BIGINT NOT NULL,
  tries INTEGER NOT NULL,
  due TEXT COLLATE "C" NOT NULL
);

-- Turns of conversations that the chat proxy has answered itself or released.
CREATE TABLE turns (
  tenant TEXT COLLATE "C" NOT NULL,
  principal TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  session TEXT COLLATE "C" NOT NULL,
  open TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, principal, key)
);
CREATE INDEX turns_open ON turns (tenant, principal, session) WHERE open <> '';
CREATE INDEX turns_age ON turns (created);

-- Definitions of tools, pinned by their hash, and the states that must not come back again.
CREATE TABLE definitions (
  tenant TEXT COLLATE "C" NOT NULL,
  server TEXT COLLATE "C" NOT NULL,
  tool TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  ok_hash TEXT COLLATE "C" NOT NULL,
  ok_text TEXT COLLATE "C" NOT NULL,
  reviewed INTEGER NOT NULL,
  since TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, server, tool)
);
CREATE TABLE spent (
  id TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  until TEXT COLLATE "C" NOT NULL
);
CREATE INDEX spent_until ON spent (until);

CREATE TABLE fatigue (
  tenant TEXT COLLATE "C" NOT NULL,
  tool TEXT COLLATE "C" NOT NULL,
  day BIGINT NOT NULL,
  what TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (tenant, tool, day, what)
);

CREATE TABLE retention (
  tenant TEXT COLLATE "C" NOT NULL,
  what TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (tenant, what)
);

CREATE TABLE health (
  name TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  at TEXT COLLATE "C" NOT NULL
);

CREATE TABLE secrets (
  name TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  value TEXT COLLATE "C" NOT NULL
);

-- Who is frozen. Rows are kept.
CREATE TABLE freezes (
  tenant TEXT COLLATE "C" NOT NULL,
  agent TEXT COLLATE "C" NOT NULL,
  frozen INTEGER NOT NULL CHECK (frozen IN (0, 1)),
  approver TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  since TEXT COLLATE "C" NOT NULL,
  entry TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, agent)
);
CREATE TRIGGER freezes_keep BEFORE DELETE ON freezes FOR EACH ROW EXECUTE FUNCTION refuse('freezes are lifted, not removed');

-- Each change of a proposal or a freeze writes its audit entry in the same statement.
CREATE FUNCTION write_entry() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit (tenant, entry) VALUES (NEW.tenant, NEW.entry);
  RETURN NULL;
END $$;
CREATE TRIGGER proposals_entry AFTER INSERT OR UPDATE ON proposals FOR EACH ROW EXECUTE FUNCTION write_entry();
CREATE TRIGGER freezes_entry AFTER INSERT OR UPDATE ON freezes FOR EACH ROW EXECUTE FUNCTION write_entry();

CREATE TRIGGER proposals_keep BEFORE DELETE ON proposals FOR EACH ROW EXECUTE FUNCTION refuse('proposals are kept');
CREATE TRIGGER proposals_whole BEFORE TRUNCATE ON proposals EXECUTE FUNCTION refuse('proposals are kept');
CREATE TRIGGER proposals_terminal BEFORE UPDATE ON proposals FOR EACH ROW
WHEN (OLD.state IN ('denied','expired','cancelled','executed','failed','ambiguous')
  AND NOT (NEW.state = OLD.state AND NEW.prompt = '' AND OLD.prompt <> '' AND NEW.arguments = ''))
EXECUTE FUNCTION refuse('a terminal state never changes');
CREATE TRIGGER proposals_fixed BEFORE UPDATE ON proposals FOR EACH ROW
WHEN (NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant OR NEW.batch <> OLD.batch OR NEW.place <> OLD.place
  OR NEW.principal <> OLD.principal OR NEW.approver <> OLD.approver OR NEW.tool <> OLD.tool
  OR NEW.digest <> OLD.digest OR NEW.prompt_hash <> OLD.prompt_hash OR NEW.needs <> OLD.needs OR NEW.why <> OLD.why
  OR NEW.expires <> OLD.expires OR NEW.entry = OLD.entry
  OR (NEW.arguments <> OLD.arguments OR NEW.prompt <> OLD.prompt)
    AND NOT (OLD.state IN ('denied','expired','cancelled','executed','failed','ambiguous') AND NEW.arguments = '' AND NEW.prompt = '')
  OR NEW.sources <> OLD.sources AND NOT (NEW.sources = '' AND NEW.prompt = '')
  OR NEW.prompt = '' AND NEW.sources <> '')
EXECUTE FUNCTION refuse('what was shown never changes');
CREATE TRIGGER proposals_claim BEFORE UPDATE ON proposals FOR EACH ROW
WHEN (NEW.state = 'claimed' AND OLD.state <> 'approved')
EXECUTE FUNCTION refuse('only an approved call is claimed');

-- A frozen agent's call is not claimed, whatever the program does.
CREATE FUNCTION refuse_frozen() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM freezes WHERE tenant = NEW.tenant AND agent IN ('', NEW.principal) AND frozen = 1) THEN
    RAISE EXCEPTION 'a frozen agent claims nothing';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER proposals_frozen BEFORE UPDATE ON proposals FOR EACH ROW
WHEN (NEW.state = 'claimed' AND OLD.state <> 'claimed') EXECUTE FUNCTION refuse_frozen();

-- What the rules of a policy count, with running counts: see 0010_rules.sql and
-- 0011_running.sql of the store.
CREATE TABLE marks (
  tenant TEXT COLLATE "C" NOT NULL,
  rule TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  at TEXT COLLATE "C" NOT NULL,
  claim TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  until TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  seen TEXT COLLATE "C" NOT NULL,
  running BIGINT NOT NULL DEFAULT 0,
  total BIGINT NOT NULL DEFAULT 0,
  rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
  PRIMARY KEY (tenant, rule, key, claim)
);
CREATE INDEX marks_at ON marks (tenant, rule, key, at, rowid);
CREATE INDEX marks_claim ON marks (claim);
CREATE INDEX marks_until ON marks (until);
CREATE INDEX marks_state ON marks (tenant, rule, key, state, at);
CREATE INDEX marks_seen ON marks (tenant, rule, key, seen, at) WHERE seen <> '';

-- A row is never earlier than the rows of its key: when a clock is set back, nothing
-- leaves the window early.
CREATE FUNCTION count_claim() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO marks (tenant, rule, key, at, claim, amount, until, state, seen, running, total)
  SELECT NEW.tenant, j.value->>0, j.value->>1, greatest(j.value->>2, coalesce(m.at, '')), NEW.id, CAST(j.value->>3 AS BIGINT), j.value->>4, 'claimed', '',
    coalesce(m.running, 0) + 1, coalesce(m.total, 0) + CAST(j.value->>3 AS BIGINT)
  FROM each_row(NEW.marks) AS j LEFT JOIN LATERAL
    (SELECT * FROM marks WHERE tenant = NEW.tenant AND rule = j.value->>0 AND key = j.value->>1 ORDER BY at DESC, rowid DESC LIMIT 1) AS m ON true
  ORDER BY j.key;
  RETURN NULL;
END $$;
CREATE TRIGGER proposals_marks AFTER UPDATE ON proposals FOR EACH ROW
WHEN (NEW.state = 'claimed' AND OLD.state <> 'claimed' AND NEW.marks <> '') EXECUTE FUNCTION count_claim();

-- recount adds a number of the rows of a claim to the running counts from their place on.
CREATE FUNCTION recount(of TEXT, by TEXT, times BIGINT) RETURNS VOID LANGUAGE SQL AS $$
  UPDATE marks SET running = marks.running + times, total = marks.total + times * f.amount
  FROM (SELECT rowid, tenant, rule, key, at, amount FROM marks WHERE claim = by AND tenant = of AND state = 'failed') AS f
  WHERE marks.tenant = f.tenant AND marks.rule = f.rule AND marks.key = f.key AND (marks.at > f.at OR marks.at = f.at AND marks.rowid >= f.rowid)
$$;

-- A failed call is taken out of the rows from its own on.
CREATE FUNCTION count_outcome() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE marks SET state = NEW.state,
    seen = CASE WHEN NEW.marks = '' THEN '' ELSE coalesce((SELECT j.value->>5 FROM each_row(NEW.marks) AS j WHERE j.value->>0 = marks.rule LIMIT 1), '') END
  WHERE claim = NEW.id AND tenant = NEW.tenant;
  IF NEW.state = 'failed' THEN
    PERFORM recount(NEW.tenant, NEW.id, -1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER proposals_marked AFTER UPDATE ON proposals FOR EACH ROW
WHEN (NEW.state IN ('executed','failed','ambiguous') AND OLD.state <> NEW.state) EXECUTE FUNCTION count_outcome();

-- A failed call that a later report says ran, or may have run, counts again. The entry is
-- read as text, because PostgreSQL reads no JSON with an escaped zero byte in it; a quote in
-- a value is escaped, so no value is taken for a member.
CREATE FUNCTION count_late() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  late TEXT := substring(NEW.entry FROM '"id":"([^"\\]*)"');
BEGIN
  PERFORM recount(NEW.tenant, late, 1);
  UPDATE marks SET state = 'ambiguous' WHERE claim = late AND tenant = NEW.tenant AND state = 'failed';
  RETURN NULL;
END $$;
CREATE TRIGGER audit_late AFTER INSERT ON audit FOR EACH ROW
WHEN (strpos(NEW.entry, '"event":"late-outcome"') > 0 AND (strpos(NEW.entry, '"status":"executed"') > 0 OR strpos(NEW.entry, '"status":"ambiguous"') > 0))
EXECUTE FUNCTION count_late();
