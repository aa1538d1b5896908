-- How often people are asked about which tool, and what they say: counts for
-- each day, so that a rate can be told for the last weeks.

CREATE TABLE fatigue (
  tenant TEXT NOT NULL,
  tool TEXT NOT NULL,
  day INTEGER NOT NULL,    -- days since 1970
  what TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (tenant, tool, day, what)
);
