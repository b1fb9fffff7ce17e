/**
 * Permissions of a plan's entry, the first name of a file with several, and 1 for a file with
 * holes; null in older plans.
 */
export const sql = `
ALTER TABLE plan_entries ADD COLUMN mode INTEGER;
ALTER TABLE plan_entries ADD COLUMN link_of BLOB;
ALTER TABLE plan_entries ADD COLUMN holes INTEGER;
`
