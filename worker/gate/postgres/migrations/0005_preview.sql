-- Previews. See 0016_preview.sql of the store.
CREATE TABLE previews (
  id TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  tenant TEXT COLLATE "C" NOT NULL,
  at TEXT COLLATE "C" NOT NULL,
  read_call TEXT COLLATE "C" NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  problem TEXT COLLATE "C" NOT NULL
);

CREATE FUNCTION empty_preview() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM previews WHERE id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER previews_emptied AFTER UPDATE ON proposals FOR EACH ROW
WHEN (NEW.prompt = '' AND OLD.prompt <> '') EXECUTE FUNCTION empty_preview();
