import { readFile } from 'node:fs/promises'
import {
  RESTORED_NAMES,
  SAME_NAMES,
  type TargetNames,
  targetNames,
} from '../../../domain/sets/naming/targetNames'
import { isInside } from '../../../domain/sets/naming/volumePaths'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { attempt, cannot, fsPath, joinPath } from '../../files/fileSystem'
import { replaceFile } from '../../files/place'
import type { PlaceNotes } from '../../files/scratch'
import { escapeTsv } from '../volume/lists/indexTsv'
import { type IndexRow, unescaped } from '../volume/lists/setIndex'
import type { TargetTraits } from './targetTraits'
import type { Wanted } from './wantedFiles'

/**
 * An entry whose name in a target is not its own, or a symbolic link that the target cannot hold,
 * whose `restored` is empty.
 */
export interface RestoredName {
  readonly restored: string
  readonly original: string
  /** The target of a symbolic link that is not there; empty for all others. */
  readonly target: string
}

const COLUMNS = 'restored\toriginal\ttarget'
const HEAD =
  '# Names that this disk cannot hold, and what they became. Fields are separated by tabs. In paths \\\\ is a backslash,\n' +
  '# \\t a tab, \\n a line feed, \\r a carriage return, and \\xHH the byte HH: of another control character, or one that\n' +
  '# is not UTF-8. Without a name in the first field it is a symbolic link, which this disk cannot hold, and its target.\n' +
  `# True names again: stowage restore --original-names THIS-FOLDER --to FOLDER\n${COLUMNS}\n`

/**
 * The names that a target can hold for those of a whole set, and of the wanted entries those to be
 * listed in it: changed names, and symbolic links where it has none.
 */
export function namesForTarget(
  { names: limits, symlinks: hasLinks }: Pick<TargetTraits, 'names' | 'symlinks'>,
  rows: readonly IndexRow[],
  { files, folders, symlinks }: Wanted,
): { readonly names: TargetNames; readonly listed: readonly RestoredName[] } {
  const paths = rows.flatMap((row) =>
    row.method === null ? [row.kind === 'part' ? row.whole : row.path] : [],
  )
  const names = limits === null ? SAME_NAMES : targetNames(paths, limits)
  const entries = new Set<string>()
  for (const { path } of [...files, ...folders, ...(hasLinks ? symlinks : [])])
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) entries.add(path.slice(0, end))
  const renamed = names.renamed
    .filter(({ original }) => entries.has(original))
    .map(({ restored, original }) => ({ restored, original, target: '' }))
  const lost = (hasLinks ? [] : symlinks).flatMap(({ path, target }) =>
    target === null ? [] : [{ restored: '', original: path, target }],
  )
  return { names, listed: [...renamed, ...lost] }
}

/**
 * The names that a target lists; none where it has no list.
 * @throws AppError `bad-input` for a damaged line, `io`, …
 */
export async function restoredNamesOf(root: string): Promise<RestoredName[]> {
  const path = joinPath(root, RESTORED_NAMES)
  const text = await attempt('read', path, readFile(fsPath(path), 'latin1')).catch((thrown: unknown) => {
    if (AppError.from(thrown).code === 'not-found') return ''
    throw thrown
  })
  const names: RestoredName[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line === '' || line.startsWith('#') || line === COLUMNS) continue
    const [restored, original, target] = line.split('\t').map(unescaped)
    const isWhole =
      typeof restored === 'string' && typeof target === 'string' && line.split('\t').length === 3
    if (
      !isWhole ||
      !original ||
      !isInside(original) ||
      (restored === '' ? target === '' : !isInside(restored))
    )
      throw cannot('bad-input', 'use', path, said`line ${at + 1} is damaged`)
    names.push({ restored, original, target })
  }
  return names
}

/** Lists names in a target, with those that other sets have there. @throws as `restoredNamesOf` */
export async function listRestoredNames(
  notes: PlaceNotes,
  root: string,
  names: readonly RestoredName[],
): Promise<void> {
  if (names.length === 0) return
  const all = new Map([...(await restoredNamesOf(root)), ...names].map((name) => [keyOf(name), lineOf(name)]))
  await replaceFile(notes, joinPath(root, RESTORED_NAMES), true, () => [HEAD, ...all.values()])
}

function keyOf({ restored, original }: RestoredName): string {
  return restored === '' ? `\0${original}` : restored
}

function lineOf({ restored, original, target }: RestoredName): string {
  return `${[restored, original, target].map(escapeTsv).join('\t')}\n`
}
