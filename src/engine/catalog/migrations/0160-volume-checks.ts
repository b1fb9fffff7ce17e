/**
 * Every verification of a volume: of discs and images that belong to no plan here too. What older
 * versions verified against a plan's folder is taken over from its runs; of those the set is not
 * known. A check goes with the run or document that it was part of. `result`: 0 good, 1 damaged.
 * `by_plan`: 1 against the plan's folder.
 */
export const sql = `
CREATE TABLE checks (
  id TEXT PRIMARY KEY,
  started_wall_ms REAL NOT NULL,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE volume_checks (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  check_id TEXT NOT NULL,
  set_id TEXT,
  plan_id TEXT,
  volume INTEGER NOT NULL,
  label TEXT NOT NULL,
  checked_wall_ms REAL NOT NULL,
  result INTEGER NOT NULL,
  by_plan INTEGER NOT NULL,
  reading TEXT,
  files INTEGER NOT NULL,
  damaged INTEGER NOT NULL,
  every_months INTEGER NOT NULL
) STRICT;
CREATE INDEX volume_checks_of_plan ON volume_checks (plan_id);

CREATE TRIGGER checks_of_run AFTER DELETE ON runs BEGIN
  DELETE FROM volume_checks WHERE check_id = OLD.id;
END;
CREATE TRIGGER checks_of_check AFTER DELETE ON checks BEGIN
  DELETE FROM volume_checks WHERE check_id = OLD.id;
END;

WITH valid AS (
  SELECT id, plan_id, started_wall_ms, CASE WHEN json_valid(document) THEN document ELSE '{}' END AS document FROM runs
), volumes AS (
  SELECT valid.id, plan_id, started_wall_ms + CAST(document ->> 'elapsedMs' AS REAL) AS ended_wall_ms, v.key AS at,
    CASE v.type WHEN 'object' THEN v.value ELSE '{}' END AS volume
  FROM valid, json_each(document, '$.volumes') AS v WHERE document ->> 'kind' = 'verify'
)
INSERT OR IGNORE INTO volume_checks
  (check_id, plan_id, volume, label, checked_wall_ms, result, by_plan, files, damaged, every_months)
SELECT id, plan_id, CAST(volume ->> 'index' AS INTEGER), CAST(volume ->> 'label' AS TEXT), ended_wall_ms,
  volume ->> 'state' <> 'done', 1, CAST(volume ->> 'files' AS INTEGER),
  CASE volume ->> 'state' WHEN 'done' THEN 0 ELSE json_array_length(volume, '$.errors') END, 12
FROM volumes
WHERE volume ->> 'state' = 'done'
  OR (volume ->> 'state' = 'failed' AND instr(volume ->> 'errors', '"code":"verification-failed"') > 0)
ORDER BY ended_wall_ms, at;
`
