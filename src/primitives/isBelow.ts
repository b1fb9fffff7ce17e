/**
 * True when `path` lies below `folder`. Both absolute and normalised; separators of either system.
 */
export function isBelow(path: string, folder: string): boolean {
  if (path.length <= folder.length || !path.startsWith(folder)) return false
  return /[\\/]$/.test(folder) || path[folder.length] === '/' || path[folder.length] === '\\'
}
