import { execFileSync } from 'node:child_process'

export const SECTOR_BYTES = 2048

/** Bytes of one volume's image that a file needs. */
export interface Extent {
  readonly volume: number
  readonly from: number
  readonly to: number
}

/**
 * Where the content of each file of plain images lies, by its name in the source, as xorriso reads it. Parts of a split file count
 * for the file. Directories and volume descriptors are added to every file of their volume.
 */
export function extentsOf(images: readonly (readonly FileExtent[])[]): Map<string, Extent[]> {
  const extents = new Map<string, Extent[]>()
  images.forEach((files, volume) => {
    const firstData = Math.min(...files.map(({ from }) => from))
    for (const { path, from, to } of files) {
      const name = path.replace(/\.part\d+$/, '')
      const known = extents.get(name) ?? []
      known.push({ volume, from, to }, { volume, from: 0, to: firstData })
      extents.set(name, known)
    }
  })
  return extents
}

/** A file of an image: the sectors that hold it, and its length. */
export interface FileExtent {
  readonly path: string
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/** The files of an image with content. */
export function filesOf(image: string): FileExtent[] {
  const report = execFileSync(
    'xorriso',
    // Without the prefix a file below /dev, as in /dev/shm, is taken for a drive.
    [
      '-report_about',
      'SORRY',
      '-indev',
      `stdio:${image}`,
      '-find',
      '/',
      '-type',
      'f',
      '-exec',
      'report_lba',
      '--',
    ],
    { encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, LC_ALL: 'C' } },
  )
  return report.split('\n').flatMap((line) => {
    const match = /^File data lba: +\d+ , +(\d+) , +(\d+) , +(\d+) , '\/(.*)'$/.exec(line)
    if (!match) return []
    const [, first, sectors, bytes, path = ''] = match
    const from = Number(first) * SECTOR_BYTES
    return [{ path, from, to: from + Number(sectors) * SECTOR_BYTES, bytes: Number(bytes) }]
  })
}
