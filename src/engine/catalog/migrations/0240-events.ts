/**
 * Everything that happened to volumes and their copies, or was said of them, in one order that no
 * clock decides. Each event is inserted once and never renumbered; it goes with the run or check
 * that it was part of, and what persons said with the plan. `of_id`: that run or check; null where
 * a person said it. What older versions kept in three places is numbered by its dates. `number` of
 * a run: the order in which the catalog got to know runs.
 */
export const sql = `
CREATE TABLE events (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN
    ('built', 'kept', 'written', 'good', 'damaged', 'failed', 'place', 'lost', 'found', 'gone')),
  of_id TEXT,
  plan_id TEXT,
  set_id TEXT,
  volume INTEGER NOT NULL,
  copy INTEGER NOT NULL,
  label TEXT NOT NULL,
  wall_ms REAL NOT NULL,
  facts TEXT NOT NULL
) STRICT;

WITH valid AS (
  SELECT id, plan_id, started_wall_ms, CASE WHEN json_valid(document) THEN document ELSE '{}' END AS document FROM runs
), volumes AS (
  SELECT valid.id, plan_id, started_wall_ms, document ->> 'kind' AS kind, document ->> 'setId' AS set_id,
    CASE json_type(document, '$.target') WHEN 'object' THEN document -> 'target' END AS target,
    started_wall_ms + coalesce(CAST(document ->> 'elapsedMs' AS REAL), 0) AS ended_wall_ms,
    v.key AS place, v.value AS volume
  FROM valid, json_each(document, '$.volumes') AS v WHERE v.type = 'object'
), made AS (
  SELECT CASE kind WHEN 'build' THEN CASE volume ->> 'state' WHEN 'done' THEN 'built' ELSE 'kept' END
      WHEN 'write' THEN 'written' ELSE 'failed' END AS kind,
    id AS of_id, plan_id, set_id, CAST(volume ->> 'index' AS INTEGER) AS volume,
    CASE kind WHEN 'write' THEN coalesce(CAST(target ->> 'copy' AS INTEGER), 1) ELSE 0 END AS copy,
    coalesce(volume ->> 'label', '') AS label,
    coalesce(CAST(volume ->> '$.written.endedWallMs' AS REAL), ended_wall_ms) AS wall_ms,
    CASE WHEN kind = 'write' AND target IS NOT NULL THEN json_patch('{}', json_object(
      'target', json_object('kind', target ->> 'kind', 'path', target ->> 'path'),
      'place', target ->> 'place',
      'digest', volume ->> '$.written.sha256', 'bytes', volume -> '$.written.bytes')) ELSE '{}' END AS facts,
    0 AS turn, started_wall_ms AS first, place AS second
  FROM volumes
  WHERE volume ->> 'index' IS NOT NULL AND (
    (kind = 'build' AND volume ->> 'state' IN ('done', 'kept'))
    OR (kind = 'write' AND volume ->> 'state' = 'done')
    OR (kind = 'verify' AND volume ->> 'state' = 'failed'
      AND instr(coalesce(volume ->> 'errors', ''), '"code":"verification-failed"') = 0
      AND EXISTS (SELECT 1 FROM json_each(volume, '$.errors') AS e
        WHERE e.value ->> 'code' NOT IN ('not-found', 'cancelled'))))
), checked AS (
  SELECT CASE result WHEN 0 THEN 'good' ELSE 'damaged' END, check_id, plan_id, set_id, volume, copy, label, checked_wall_ms,
    json_object('by', CASE by_plan WHEN 1 THEN 'plan' ELSE 'volume' END, 'reading', reading, 'files', files,
      'damaged', damaged, 'everyMonths', every_months),
    1, 0, number
  FROM volume_checks
), noted AS (
  SELECT kind, NULL, CASE WHEN length(of_set) = 64 THEN NULL ELSE of_set END, CASE length(of_set) WHEN 64 THEN of_set END,
    volume, copy, label, noted_wall_ms, json_patch('{}', json_object('place', place, 'medium', medium)), 2, 0, number
  FROM copy_notes
)
INSERT INTO events (kind, of_id, plan_id, set_id, volume, copy, label, wall_ms, facts)
SELECT kind, of_id, plan_id, set_id, volume, copy, label, wall_ms, facts FROM (
  SELECT * FROM made UNION ALL SELECT * FROM checked UNION ALL SELECT * FROM noted
) ORDER BY wall_ms, turn, first, second;

CREATE INDEX events_of_plan ON events (plan_id);
DELETE FROM events WHERE of_id IS NOT NULL AND number NOT IN
  (SELECT min(number) FROM events WHERE of_id IS NOT NULL GROUP BY of_id, kind, volume, copy);
CREATE UNIQUE INDEX events_once ON events (of_id, kind, volume, copy);

DROP TRIGGER checks_of_run;
DROP TRIGGER checks_of_check;
DROP TRIGGER copies_of_plan;
DROP TABLE volume_checks;
DROP TABLE copy_notes;
CREATE TRIGGER events_of_run AFTER DELETE ON runs BEGIN
  DELETE FROM events WHERE of_id = OLD.id;
END;
CREATE TRIGGER events_of_check AFTER DELETE ON checks BEGIN
  DELETE FROM events WHERE of_id = OLD.id;
END;
CREATE TRIGGER events_of_plan AFTER DELETE ON plans BEGIN
  DELETE FROM events WHERE plan_id = OLD.id AND of_id IS NULL;
END;

ALTER TABLE runs ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET number = ranked.number FROM (
  SELECT id, row_number() OVER (ORDER BY started_wall_ms, id) AS number FROM runs
) AS ranked WHERE ranked.id = runs.id;
`
