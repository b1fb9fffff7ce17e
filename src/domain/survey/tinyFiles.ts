import { pathFromBytes } from '../../primitives/pathText'
import { sameBytes } from '../../primitives/sameBytes'
import type { SurveyDocument, TinyFiles } from './surveyDocument'

/** Counts tiny files by folder, and what files lose on discs; made for millions of calls. */
interface TinyFilesTable {
  /** A file by its path below a root, which the bytes hold from `start` to `end`. */
  add(rootIndex: number, path: Uint8Array, bytes: number, start: number, end: number): void
  figures(): TinyFiles
}

const TINY_BYTES = 4096
/** A disc stores every file in whole sectors of this size. */
const SECTOR_BYTES = 2048
/** Files in deeper folders count for the folder above at this depth. */
const DEEPEST = 6
/** Further folders are counted together. */
const MOST_FOLDERS = 20_000
const SLASH = 0x2f
/** Above either, tiny files cost enough to name them. */
const MANY_FILES = 50_000
const MANY_LOST = 0.02
/** Fewer tiny files than this are never named, whatever share of a small source they lose. */
const FEWEST_FILES = 1000
/** A folder holds most of the files with this share of them. */
const MOST = 0.5

interface LastFolder {
  readonly rootIndex: number
  readonly path: Uint8Array
  readonly counted: { files: number; bytes: number }
}

/** A table of nothing yet. */
export function tinyFilesTable(roots: readonly string[]): TinyFilesTable {
  const counts = { files: 0, bytes: 0, sectorLossBytes: 0 }
  const byFolder = new Map<string, { files: number; bytes: number }>()
  /** Files of one folder mostly come one after the other. */
  let last: LastFolder | null = null
  return {
    add(rootIndex, path, bytes, start, end) {
      if (bytes === 0) return
      counts.sectorLossBytes += (SECTOR_BYTES - (bytes % SECTOR_BYTES)) % SECTOR_BYTES
      if (bytes >= TINY_BYTES) return
      counts.files += 1
      counts.bytes += bytes
      let folderEnd = start
      for (let at = start, depth = 0; at < end && depth < DEEPEST; at++) {
        if (path[at] !== SLASH) continue
        folderEnd = at
        depth += 1
      }
      if (last === null || last.rootIndex !== rootIndex || !sameBytes(last.path, path, start, folderEnd)) {
        const below = path.subarray(start, folderEnd)
        const key = `${rootIndex}/${pathFromBytes(below)}`
        const counted = byFolder.get(key) ?? { files: 0, bytes: 0 }
        if (counted.files === 0 && byFolder.size >= MOST_FOLDERS) return
        byFolder.set(key, counted)
        last = { rootIndex, path: below, counted }
      }
      last.counted.files += 1
      last.counted.bytes += bytes
    },
    figures: () => ({
      ...counts,
      folder: counts.files < FEWEST_FILES ? null : fullestFolder(byFolder, counts.files, roots),
    }),
  }
}

/** The deepest folder that holds most of the tiny files; null where no single root does. */
function fullestFolder(
  byFolder: ReadonlyMap<string, { files: number; bytes: number }>,
  files: number,
  roots: readonly string[],
): TinyFiles['folder'] {
  const all = new Map<string, { files: number; bytes: number }>()
  for (const [key, own] of byFolder) {
    const last = key.endsWith('/') ? key.length - 1 : key.length
    for (let end = last; end > 0; end = key.lastIndexOf('/', end - 1)) {
      const above = key.slice(0, end)
      const sum = all.get(above) ?? { files: 0, bytes: 0 }
      all.set(above, sum)
      sum.files += own.files
      sum.bytes += own.bytes
    }
  }
  let found: TinyFiles['folder'] = null
  for (const [key, sum] of all) {
    if (sum.files < MOST * files) continue
    const at = key.indexOf('/')
    const root = roots[Number(at < 0 ? key : key.slice(0, at))] ?? ''
    const below = at < 0 ? '' : key.slice(at)
    const path = below === '' ? root : root.replace(/\/$/, '') + below
    if (found === null || path.length > found.path.length) found = { path, ...sum }
  }
  return found
}

/** The tiny files of a survey where they cost so much that packing them is worth it, else null. */
export function costlyTinyFiles({
  totals,
  tinyFiles,
}: Pick<SurveyDocument, 'totals' | 'tinyFiles'>): TinyFiles | null {
  if (!tinyFiles || tinyFiles.files < FEWEST_FILES) return null
  const isMany = tinyFiles.files > MANY_FILES || tinyFiles.sectorLossBytes > MANY_LOST * totals.bytes
  return isMany ? tinyFiles : null
}
