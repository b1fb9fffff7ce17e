/**
 * Groups of a survey's files by DATs, as those in `content_groups`, with the names of the groups as
 * a list in JSON.
 */
export const sql = `
CREATE TABLE dat_groups (
  survey INTEGER PRIMARY KEY,
  files BLOB NOT NULL,
  names TEXT NOT NULL
) STRICT;
`
