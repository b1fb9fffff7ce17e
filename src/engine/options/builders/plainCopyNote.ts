import { said } from '../../../primitives/said'

/**
 * The note on encrypted builds that must write the data as it is first: what was on a device can be
 * found there.
 */
export function plainCopyNote(): string {
  return said`an unencrypted copy was on the target disk during the build; it was deleted, not overwritten`
}
