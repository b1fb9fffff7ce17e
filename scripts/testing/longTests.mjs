/**
 * The tag of tests that are not for every change: matrices, large sets, siblings of what another
 * test sees. `npm test -- --all`, `.ci/run` and every filter run them.
 */
export const LONG_TAG = 'long'

/** Vitest's options that leave them out. */
export const WITHOUT_LONG = ['--tags-filter', `!${LONG_TAG}`]

/** Those that run nothing else. */
export const LONG_ALONE = ['--tags-filter', LONG_TAG]
