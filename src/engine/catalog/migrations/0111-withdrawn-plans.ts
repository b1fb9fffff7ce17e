/**
 * A plan whose export failed is not in the catalog. Until the process that tried (`withdrawn_by`)
 * ends, its rows stay, so that the export can be tried again.
 */
export const sql = `
ALTER TABLE plans ADD COLUMN withdrawn_by INTEGER;
`
