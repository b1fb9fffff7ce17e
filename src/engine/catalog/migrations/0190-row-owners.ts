/**
 * The process that an unfinished survey or a withdrawn plan belongs to, with when it started
 * (`ownIdentity`): its number alone is given to another process, on Windows soon. Rows that are
 * there keep the number.
 */
export const sql = `
ALTER TABLE surveys ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE surveys SET owner = CAST(owner_pid AS TEXT) WHERE state = 'open';
ALTER TABLE surveys DROP COLUMN owner_pid;

ALTER TABLE plans ADD COLUMN withdrawn_by_owner TEXT;
UPDATE plans SET withdrawn_by_owner = CAST(withdrawn_by AS TEXT);
ALTER TABLE plans DROP COLUMN withdrawn_by;
ALTER TABLE plans RENAME COLUMN withdrawn_by_owner TO withdrawn_by;
`
