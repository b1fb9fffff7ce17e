/** Band sweeps: each whole, with what a list shows of it. */
export const sql = `
CREATE TABLE band_sweeps (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  device_key TEXT NOT NULL,
  created_wall_ms REAL NOT NULL,
  item TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;

CREATE INDEX band_sweeps_by_device ON band_sweeps (device_key, created_wall_ms);
`
