/**
 * Owners of what a plan holds, and its extended attributes as JSON; null in plans of older
 * versions, and where there are none.
 */
export const sql = `
ALTER TABLE plan_entries ADD COLUMN uid INTEGER;
ALTER TABLE plan_entries ADD COLUMN gid INTEGER;
ALTER TABLE plan_entries ADD COLUMN user_name BLOB;
ALTER TABLE plan_entries ADD COLUMN group_name BLOB;
ALTER TABLE plan_entries ADD COLUMN attributes TEXT;
`
