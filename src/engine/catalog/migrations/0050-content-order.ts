/**
 * The order of a survey's files that a solid archive is smallest in: the n of their entries, four
 * bytes each, the least first.
 */
export const sql = `
CREATE TABLE content_orders (
  survey INTEGER PRIMARY KEY,
  ids BLOB NOT NULL
) STRICT;
`
