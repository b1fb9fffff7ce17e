/**
 * Archives by the order in which they were made, with their intent; what was forgotten stays, so
 * that its plans are not listed as an archive again. `archive_sets`: sets that were adopted, by the
 * first plan of each, which may be gone from the catalog. `archive_places`: where a source is on a
 * computer, if not where the intent says.
 */
export const sql = `
CREATE TABLE archives (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  is_forgotten INTEGER NOT NULL DEFAULT 0,
  document TEXT NOT NULL
) STRICT;
CREATE TABLE archive_sets (
  first_plan TEXT PRIMARY KEY,
  archive TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE archive_places (
  archive TEXT NOT NULL,
  source TEXT NOT NULL,
  computer TEXT NOT NULL,
  path BLOB NOT NULL,
  PRIMARY KEY (archive, source, computer)
) STRICT, WITHOUT ROWID;
`
