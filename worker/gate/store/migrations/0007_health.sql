-- Health is asked by writing: a disk that is full can still be read.
CREATE TABLE health (
  name TEXT PRIMARY KEY NOT NULL,
  at TEXT NOT NULL
);
