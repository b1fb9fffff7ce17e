/**
 * Creation times in nanoseconds since 1970, as text; null in plans of older versions, and where the
 * source's file system keeps none.
 */
export const sql = `
ALTER TABLE plan_entries ADD COLUMN created_ns TEXT;
`
