/**
 * Entries are clustered by what they belong to: the key of an entry is
 * `number of its survey (or plan) * 2^32 + n`, so one survey is one range of the table, appending
 * is sequential and no index is needed to read it back.
 */
export const sql = `
-- 'open' while the pass runs; only 'done' surveys are visible. owner_pid tells a survey left behind from a running one.
CREATE TABLE surveys (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('open', 'done')),
  owner_pid INTEGER NOT NULL,
  created_wall_ms REAL NOT NULL DEFAULT 0,
  document TEXT NOT NULL DEFAULT ''
) STRICT;

-- kind: 0 file, 1 folder, 2 symlink, 3 further name of a file (hard link; link_of is that file's n).
-- Paths are the file system's own bytes. Device and inode are unsigned 64-bit numbers kept as signed ones.
CREATE TABLE survey_entries (
  key INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  root INTEGER NOT NULL,
  path BLOB NOT NULL,
  bytes INTEGER NOT NULL,
  allocated_bytes INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  mode INTEGER NOT NULL,
  digest BLOB,
  sha256 BLOB,
  link_of INTEGER,
  link_target BLOB
) STRICT;

CREATE TABLE survey_skips (
  key INTEGER PRIMARY KEY,
  path BLOB NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT;

CREATE TABLE plans (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  survey_id TEXT NOT NULL,
  created_wall_ms REAL NOT NULL,
  directory BLOB,
  document TEXT NOT NULL
) STRICT;

CREATE TABLE volumes (
  plan INTEGER NOT NULL REFERENCES plans (number) ON DELETE CASCADE,
  volume INTEGER NOT NULL,
  label TEXT NOT NULL,
  sectors INTEGER NOT NULL,
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (plan, volume)
) STRICT, WITHOUT ROWID;

-- kind: 0 file, 1 folder, 2 symlink, 3 part of a split file.
CREATE TABLE plan_entries (
  key INTEGER PRIMARY KEY,
  volume INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  path BLOB NOT NULL,
  source BLOB NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 BLOB,
  link_target BLOB,
  part_offset INTEGER,
  part INTEGER,
  parts INTEGER,
  whole_path BLOB,
  whole_bytes INTEGER,
  whole_sha256 BLOB
) STRICT;

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  plan_id TEXT NOT NULL,
  started_wall_ms REAL NOT NULL,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`
