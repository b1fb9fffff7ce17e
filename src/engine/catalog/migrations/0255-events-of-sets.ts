/**
 * A check may read volumes of several sets, which have the same numbers: each has an event of its
 * own.
 */
export const sql = `
DROP INDEX events_once;
CREATE UNIQUE INDEX events_once ON events (of_id, kind, coalesce(plan_id, set_id, ''), volume, copy);
`
