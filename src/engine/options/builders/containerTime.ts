/** SquashFS and gzip have 32 bits without a sign for a time. */
const LAST_SECOND = 2 ** 32 - 1

/**
 * A file's time as SquashFS and gzip get it, in whole seconds since 1970: one before 1970 becomes
 * 1970, one after 2106 the last second that fits. The index keeps the true time, and restoring puts
 * it back.
 */
export function containerSeconds(mtimeMs: number): number {
  return Math.min(LAST_SECOND, Math.max(0, Math.floor(mtimeMs / 1000)))
}

/** True when such a container holds a file's time unchanged, but for fractions of a second. */
export function hasContainerTime(mtimeMs: number): boolean {
  return containerSeconds(mtimeMs) === Math.floor(mtimeMs / 1000)
}
