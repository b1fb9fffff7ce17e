/**
 * Said of encrypted builds that must write the data as it is first: what was on a device can be
 * found there.
 */
export const PLAIN_COPY_NOTE =
  'an unencrypted copy was on the target disk during the build; it was deleted, not overwritten'
