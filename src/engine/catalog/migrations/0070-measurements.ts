/**
 * Device profiles, and the folders that measurements make: noted before a folder is made and struck
 * out when it is gone, so that what a killed run left is found and removed. Paths are the file
 * system's own bytes.
 */
export const sql = `
CREATE TABLE measurements (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  device_key TEXT NOT NULL,
  created_wall_ms REAL NOT NULL,
  -- What a list shows of it, so that listing need not read all samples.
  item TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;

CREATE INDEX measurements_by_device ON measurements (device_key, created_wall_ms);

CREATE TABLE measure_folders (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  directory BLOB NOT NULL,
  folder TEXT NOT NULL,
  noted_wall_ms REAL NOT NULL
) STRICT;
`
