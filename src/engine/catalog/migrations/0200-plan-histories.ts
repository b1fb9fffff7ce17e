/**
 * The lines that the index of a plan which adds to earlier ones has of these, in their order:
 * `path` of files that the source has now, with the plan and volume that hold the content.
 */
export const sql = `
CREATE TABLE plan_history (
  key INTEGER PRIMARY KEY,
  path BLOB,
  bytes INTEGER NOT NULL,
  holder TEXT NOT NULL,
  volume INTEGER NOT NULL,
  line TEXT NOT NULL
);
`
