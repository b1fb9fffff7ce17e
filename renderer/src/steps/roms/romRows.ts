import type { JudgedFile, JudgedSet, RomSetState, RomsDocument } from '../../../../src/contract/dto/roms'
import type { RomsFilter } from './romsState'

/** A ROM set with its place in the document. */
export interface SetRow extends JudgedSet {
  readonly at: number
}

/** A file that was found, with its place in the document. */
export interface FileRow extends JudgedFile {
  readonly at: number
}

/** A file that was found nowhere, and the ROM set that needs it. */
export interface MissingRow {
  readonly at: number
  readonly set: JudgedSet
  readonly file: JudgedSet['missing'][number]
}

/** A file of one ROM set: one that was found, or one that is missing. */
export interface HeldRow {
  readonly key: string
  /** Its name in the ROM set. */
  readonly name: string
  readonly state: JudgedFile['state'] | 'missing' | 'mia'
  readonly by: JudgedFile['by']
  readonly bytes: number | null
  /** Where it is; null where it is missing. */
  readonly found: Pick<JudgedFile, 'path' | 'member'> | null
}

/** The rows of the tables of a document, put together once. */
export interface RomRows {
  readonly sets: readonly SetRow[]
  readonly files: readonly FileRow[]
  readonly missing: readonly MissingRow[]
  /** The files of a ROM set, missing ones first. */
  heldIn(set: SetRow): HeldRow[]
}

export function romRows({ sets, files }: RomsDocument): RomRows {
  const rows = files.map((file, at): FileRow => ({ ...file, at }))
  let bySet: Map<string, FileRow[]> | null = null
  return {
    sets: sets.map((set, at): SetRow => ({ ...set, at })),
    files: rows,
    missing: sets
      .flatMap((set) => set.missing.map((file) => ({ set, file })))
      .map((row, at) => ({ ...row, at })),
    heldIn(set) {
      bySet ??= groupedBySet(rows)
      return heldIn(set, bySet.get(setKey(set.dat, set.name)) ?? [])
    },
  }
}

function groupedBySet(files: readonly FileRow[]): Map<string, FileRow[]> {
  const bySet = new Map<string, FileRow[]>()
  for (const file of files) {
    if (file.dat === null || file.set === null) continue
    const key = setKey(file.dat, file.set)
    const own = bySet.get(key)
    if (own) own.push(file)
    else bySet.set(key, [file])
  }
  return bySet
}

function setKey(dat: number, name: string): string {
  return `${dat} ${name}`
}

/** A bad dump is shown in place of the file that it is not. */
function heldIn(set: SetRow, files: readonly FileRow[]): HeldRow[] {
  const bad = new Set(files.flatMap(({ state, name }) => (state === 'bad-dump' ? (name ?? '') : [])))
  const missing = set.missing
    .filter(({ name }) => !bad.has(name))
    .map(
      ({ name, bytes, mia }, at): HeldRow => ({
        key: `missing ${at}`,
        name,
        state: mia ? 'mia' : 'missing',
        by: null,
        bytes,
        found: null,
      }),
    )
  const found = files.map(
    ({ at, name, state, by, bytes, path, member }): HeldRow => ({
      key: `found ${at}`,
      name: name ?? '',
      state,
      by,
      bytes,
      found: { path, member },
    }),
  )
  return [...missing, ...found]
}

/** Files that a ROM set needs and that are listed with another one, which needs them too. */
export function heldElsewhere({ present }: SetRow, held: readonly HeldRow[]): number {
  const here = new Set(
    held.flatMap(({ state, name }) => (state === 'right' || state === 'renamed' ? name : [])),
  )
  return Math.max(0, present - here.size)
}

/** Counts of ROM sets by state, in one DAT or in all. */
export type SetCounts = Readonly<Record<RomSetState, number>>

export function setCounts(sets: readonly JudgedSet[], dat: number | null): SetCounts {
  const counts = { complete: 0, partial: 0, missing: 0 }
  for (const set of sets) if (dat === null || set.dat === dat) counts[set.state]++
  return counts
}

export function filteredSets(
  rows: readonly SetRow[],
  { state, dat, pattern }: RomsFilter,
): readonly SetRow[] {
  const isWanted = matching(pattern)
  if (state === 'all' && dat === null && isWanted === null) return rows
  return rows.filter(
    (row) =>
      (state === 'all' || row.state === state) &&
      (dat === null || row.dat === dat) &&
      (isWanted === null || isWanted(row.name) || (row.cloneOf !== null && isWanted(row.cloneOf))),
  )
}

export function filteredFiles(
  rows: readonly FileRow[],
  { file, dat, pattern }: RomsFilter,
): readonly FileRow[] {
  const isWanted = matching(pattern)
  return rows.filter(
    (row) =>
      (file === 'all' || (file === 'other' ? row.state !== 'right' : row.state === file)) &&
      (dat === null || row.dat === dat) &&
      (isWanted === null ||
        isWanted(row.member === null ? row.path : `${row.path} ${row.member}`) ||
        (row.set !== null && isWanted(row.set))),
  )
}

export function filteredMissing(
  rows: readonly MissingRow[],
  { dat, pattern }: RomsFilter,
): readonly MissingRow[] {
  const isWanted = matching(pattern)
  if (dat === null && isWanted === null) return rows
  return rows.filter(
    ({ set, file }) =>
      (dat === null || set.dat === dat) && (isWanted === null || isWanted(`${set.name} ${file.name}`)),
  )
}

/** A test for all words of a pattern, in any case; null for a pattern without words. */
function matching(pattern: string): ((text: string) => boolean) | null {
  const words = pattern
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return null
  return (text) => {
    const lower = text.toLowerCase()
    return words.every((word) => lower.includes(word))
  }
}
