/**
 * The output of a cancelled build is thrown away, so that a program need not be given long to end
 * well.
 */
export const KILL_AFTER_MS = 100
