/** The identity of the catalog, from when it is first asked for. */
export const sql = `
CREATE TABLE identity (
  number INTEGER PRIMARY KEY CHECK (number = 1),
  id TEXT NOT NULL
) STRICT;
`
