/** Endings of disk images, for which the packages offer Stowage in "Open with". */
const IMAGE = /\.(dmg|sparseimage|sparsebundle|img|iso)$/i

/**
 * The disk image that the application is started to open: the only path given, by its ending. Null
 * for anything else, which is to be archived.
 */
export function givenImage(paths: readonly string[]): string | null {
  const [only, ...more] = paths
  return only !== undefined && more.length === 0 && IMAGE.test(only) ? only : null
}
