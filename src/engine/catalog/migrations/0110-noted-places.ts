/**
 * Everything that jobs make outside of the data folder and that must not stay after a kill, as
 * noted before it is made.
 */
export const sql = `
CREATE TABLE noted_places (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  path BLOB NOT NULL,
  target BLOB,
  made BLOB,
  made_identity TEXT,
  owner TEXT NOT NULL
) STRICT;

INSERT INTO noted_places (kind, path, owner)
SELECT 'scratch', path, CAST(owner_pid AS TEXT) FROM option_folders ORDER BY number;

DROP TABLE option_folders;
`
