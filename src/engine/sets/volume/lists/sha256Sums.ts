/** Stands for a digest that is not known yet, where only its length matters. */
export const UNKNOWN_SHA256 = '0'.repeat(64)

/**
 * One line of a checksum list as GNU `sha256sum` writes and checks it. A name with a backslash,
 * line feed or carriage return is escaped and the line begins with a backslash (coreutils manual,
 * "cksum output modes"). A file named `-` is written as `./-`, because `sha256sum` would read its
 * standard input instead.
 * @param path relative to the folder in which the list is checked, in lossless text form
 */
export function sha256Line(sha256: string, path: string): string {
  if (path === '-') return `${sha256}  ./-\n`
  if (!/[\\\n\r]/.test(path)) return `${sha256}  ${path}\n`
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `\\${sha256}  ${escaped}\n`
}
