/**
 * The copies of volumes. A check says which copy was read: 0 is the image or folder in the plan's
 * folder, written ones count from 1. What a person says of a copy (where it is, that it was lost or
 * found) is kept in the order in which it was said. `of_set`: the ID of its plan, or the set's own
 * where the plan is not known.
 */
export const sql = `
ALTER TABLE volume_checks ADD COLUMN copy INTEGER NOT NULL DEFAULT 1;
UPDATE volume_checks SET copy = 0 WHERE by_plan = 1
  AND check_id NOT IN (SELECT id FROM runs WHERE json_valid(document) AND document ->> 'kind' = 'write');

CREATE TABLE copy_notes (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  of_set TEXT NOT NULL,
  volume INTEGER NOT NULL,
  copy INTEGER NOT NULL,
  label TEXT NOT NULL,
  noted_wall_ms REAL NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('place', 'lost', 'found')),
  place TEXT,
  medium TEXT
) STRICT;
CREATE TRIGGER copies_of_plan AFTER DELETE ON plans BEGIN
  DELETE FROM copy_notes WHERE of_set = OLD.id;
END;
`
