/**
 * The container that a plan packs a file in with others, where the survey chose it; null otherwise.
 */
export const sql = `
ALTER TABLE plan_entries ADD COLUMN container BLOB;
`
