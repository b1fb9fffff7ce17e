/**
 * An absolute path in the form that Stowage carries and shows: with `/` between names on every
 * system, so that a path is compared and joined in one way. Windows takes this form too. Paths of
 * other systems, in which a backslash is part of a name, are given back as they are.
 */
export function ownPath(path: string): string {
  if (!/^(?:[A-Za-z]:|\\)/.test(path)) return path
  const plain = path
    .replaceAll('\\', '/')
    .replace(/^\/\/\?\/UNC\//i, '//')
    .replace(/^\/\/\?\/(?=[A-Za-z]:)/, '')
  return /^[a-z]:/.test(plain) ? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}` : plain
}

/**
 * True for the top of a drive of Windows, which takes no mark for any length: of `\\?\C:\` Node
 * opens the drive instead of its folder.
 */
export function isDriveTop(path: string): boolean {
  return /^[A-Za-z]:[\\/]$/.test(path)
}
