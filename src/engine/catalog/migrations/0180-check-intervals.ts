/**
 * After how many months the volumes of a set are checked again, where a person has chosen it for
 * the set: of those that were never checked too. `of_set`: the ID of its plan, or the set's own
 * where the plan is not known.
 */
export const sql = `
CREATE TABLE check_intervals (
  of_set TEXT PRIMARY KEY,
  every_months INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`
