/** Groups of a survey's files by the ROM sets of DATs, as those in `dat_groups`. */
export const sql = `
CREATE TABLE dat_sets (
  survey INTEGER PRIMARY KEY,
  files BLOB NOT NULL,
  names TEXT NOT NULL
) STRICT;
`
