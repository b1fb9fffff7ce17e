/**
 * The forecast of what each file adds to its archive, for each way to group files: pairs of the ID
 * of an entry and a 32-bit float.
 */
export const sql = `
CREATE TABLE packed_files (
  survey INTEGER NOT NULL,
  grouping TEXT NOT NULL,
  files BLOB NOT NULL,
  PRIMARY KEY (survey, grouping)
) STRICT, WITHOUT ROWID;
`
