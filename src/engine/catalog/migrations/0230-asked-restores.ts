/** Restores that ask for their discs one after another, until nothing is left to insert. */
export const sql = `
CREATE TABLE asked_restores (
  id TEXT PRIMARY KEY,
  target BLOB NOT NULL UNIQUE,
  asked_wall_ms REAL NOT NULL,
  document TEXT NOT NULL
) STRICT;
`
