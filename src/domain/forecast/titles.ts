/**
 * The title of a file by GoodMerge's rule: its name up to the first ` (` or ` [`, which begin what
 * tells its versions apart; else its name without the last extension.
 * @param name base name, in any text that holds ASCII as it is
 */
export function titleOf(name: string): string {
  const tag = firstOf(name.indexOf(' ('), name.indexOf(' ['))
  if (tag > 0) return name.slice(0, tag)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}

function firstOf(one: number, other: number): number {
  if (one < 0) return other
  return other < 0 ? one : Math.min(one, other)
}

/**
 * The place of the archive of a file's title, without an extension: in the file's folder. Files
 * with the same place go into it.
 */
export function titlePlace(path: string): string {
  const base = path.lastIndexOf('/') + 1
  return path.slice(0, base) + titleOf(path.slice(base))
}

/**
 * A file's name in the archive of its title: no folders, so that the same files in another folder
 * make the same archive.
 */
export function titleMember(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
