/**
 * When the source of a plan's file was last written to, as entries keep it; null in plans of older
 * versions.
 */
export const sql = `
ALTER TABLE plan_entries ADD COLUMN mtime_ns TEXT;
`
