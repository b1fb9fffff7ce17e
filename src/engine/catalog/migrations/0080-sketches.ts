/**
 * Columns by which a later survey can trust an earlier one. `sketch_entries`: the survey's sketch
 * holds the content of every file among its first so many entries; 0 where there is no sketch.
 * While a survey is open, a document that is not empty is that of its last checkpoint, taken after
 * `sketch_entries` entries.
 */
export const sql = `
ALTER TABLE survey_entries ADD COLUMN file_number INTEGER;
ALTER TABLE surveys ADD COLUMN sketch_entries INTEGER NOT NULL DEFAULT 0;
`
