/** Restore drills, in the order in which they ended. */
export const sql = `
CREATE TABLE drills (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL
) STRICT;
`
