import { AppError } from '../../../primitives/appError'

/** A root of a source; roots are in the person's order. */
export interface SourceRoot {
  /**
   * Absolute path in lossless text form. `/` separates, on Windows `\` too; a trailing separator
   * does not matter.
   */
  readonly path: string
  readonly kind: 'folder' | 'file' | 'symlink'
}

/** Where entries of a source are on their volume. */
interface VolumePaths {
  /**
   * The path on the volume of what lies at `relativePath` (`/` separated, empty for the root
   * itself) below a root. Empty for the volume's own root.
   */
  pathOnVolume(rootIndex: number, relativePath: string): string
}

/**
 * A single folder gives its contents to the volume's root. Of several roots each keeps its name
 * (the last component of its path) at the volume's root; a name that an earlier root has gets
 * ` (2)`, ` (3)`, … before its extension if the root is a file. Names that differ in nothing but
 * case count as the same, so that a volume can be read on every system.
 * @throws AppError `internal` for an index that no root has.
 */
export function volumePaths(roots: readonly SourceRoot[]): VolumePaths {
  const isBare = roots.length === 1 && roots[0]?.kind === 'folder'
  const tops = isBare ? [''] : topNames(roots)
  return {
    pathOnVolume(rootIndex, relativePath) {
      const top = tops[rootIndex]
      if (top === undefined) throw new AppError('internal', `no root ${rootIndex} of ${roots.length}`)
      if (top === '' || relativePath === '') return top + relativePath
      return `${top}/${relativePath}`
    },
  }
}

/** The last component of a path; what names a drive or the whole file system gets a plain name. */
export function lastComponent(path: string): string {
  const isWindows = /^[A-Za-z]:[\\/]|^\\\\/.test(path)
  const trimmed = path.replace(isWindows ? /[\\/]+$/ : /\/+$/, '')
  const name = trimmed.slice(
    Math.max(trimmed.lastIndexOf('/'), isWindows ? trimmed.lastIndexOf('\\') : -1) + 1,
  )
  if (/^[A-Za-z]:$/.test(name) && isWindows) return name.slice(0, 1)
  return name === '' || name === '.' || name === '..' ? 'root' : name
}

function topNames(roots: readonly SourceRoot[]): string[] {
  const taken = new Set<string>()
  // Names that roots have by right are not given away to earlier ones that need a number.
  const wanted = roots.map((root) => lastComponent(root.path))
  const byRight = new Set(wanted.map((name) => name.toLowerCase()))
  return roots.map((root, k) => {
    const name = wanted[k] as string
    let chosen = name
    for (
      let number = 2;
      taken.has(chosen.toLowerCase()) || (number > 2 && byRight.has(chosen.toLowerCase()));
      number++
    ) {
      chosen = numbered(name, number, root.kind === 'file')
    }
    taken.add(chosen.toLowerCase())
    return chosen
  })
}

function numbered(name: string, number: number, isFile: boolean): string {
  const dot = isFile ? name.lastIndexOf('.') : -1
  return dot > 0 ? `${name.slice(0, dot)} (${number})${name.slice(dot)}` : `${name} (${number})`
}

/**
 * A name for the folder at each volume's root in which Stowage keeps the index and the checksums:
 * `STOWAGE`, or `STOWAGE-1`, `STOWAGE-2`, … where the source has such a name at the root of a
 * volume already (upper and lower case count as the same).
 */
export function ownFolderName(namesAtVolumeRoot: Iterable<string>): string {
  const taken = new Set<string>()
  for (const name of namesAtVolumeRoot) taken.add(name.toLowerCase())
  if (!taken.has('stowage')) return 'STOWAGE'
  let number = 1
  while (taken.has(`stowage-${number}`)) number += 1
  return `STOWAGE-${number}`
}

/**
 * True when a path of an entry list or index stays below the volume's root: lists may come from
 * anywhere.
 */
export function isInside(path: string): boolean {
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !name.includes('\0'))
}
