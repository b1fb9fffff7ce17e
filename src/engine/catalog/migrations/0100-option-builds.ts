/**
 * Options that were built for real, and the folders that builds make, as noted before they are
 * made.
 */
export const sql = `
CREATE TABLE option_builds (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  family TEXT NOT NULL,
  created_wall_ms REAL NOT NULL,
  document TEXT NOT NULL
) STRICT;

CREATE TABLE option_folders (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  path BLOB NOT NULL,
  owner_pid INTEGER NOT NULL
) STRICT;
`
