/**
 * Groups of a survey's files that share data: for each file the n of its entry and its group's
 * number, four bytes each, the least first.
 */
export const sql = `
CREATE TABLE content_groups (
  survey INTEGER PRIMARY KEY,
  files BLOB NOT NULL
) STRICT;
`
