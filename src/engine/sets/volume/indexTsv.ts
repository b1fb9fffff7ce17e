import type { PlanEntry } from '../../../contract/dto/plan'
import type { ExtendedAttribute } from '../../../domain/sets/ownership'
import { hexBytes } from '../../../primitives/pathText'
import type { PlannedVolume } from './plannedVolume'

/**
 * The fields of a line. `mode` is octal, `mtime_ns` nanoseconds since 1970; `of` is the whole file
 * of a part, or the first name of a file with several; `offset` is where a part begins in the
 * whole, whose digest is `whole_sha256`; `target` is that of a symbolic link; `holes` is `holes`
 * for a file that occupied less than its size. In a packed set `method` names the recipe of an
 * archive or another container, `in` is the path of the one that holds a file, and `member` the
 * file's name in it where that is not its path. Of an archive that is made after the index, `bytes`
 * and `sha256` are empty. `uid` and `gid` are the owners' numbers, `user` and `group` their names
 * on the source's system. `attributes` are extended attributes, with a space between two: the name,
 * in which a space and `=` are escaped too, `=0x`, and the value in hex. `sector` is the first
 * sector of 2,048 bytes of a file or a part in its volume's image, where Stowage makes the image: a
 * file can be read from a disc whose folders cannot. Older versions wrote the first six columns,
 * those before `uid`, or those before `sector`.
 */
export const INDEX_COLUMNS = [
  'volume',
  'label',
  'kind',
  'bytes',
  'sha256',
  'path',
  'mode',
  'mtime_ns',
  'of',
  'offset',
  'whole_sha256',
  'target',
  'holes',
  'in',
  'member',
  'method',
  'uid',
  'gid',
  'user',
  'group',
  'attributes',
  'sector',
] as const

/** The first sector of a path on a volume, by the volume's number. */
export type SectorOf = (volume: number, path: string) => number | undefined

/** The digest of an archive that is not made yet. */
export const UNTOLD_SHA256 = ''

/** The head of the index, so that it explains itself on a disc found in fifty years. */
const INDEX_HEAD =
  '# Index of all volumes. Fields are separated by tabs. In paths \\\\ is a backslash, \\t a tab, \\n a line feed,\n' +
  '# \\r a carriage return, and \\xHH the byte HH: of another control character, or one that is not UTF-8.\n' +
  `${INDEX_COLUMNS.join('\t')}\n`

/**
 * One line per entry of every volume, in the order of volumes; kinds are file, part, folder and
 * symlink.
 * @param members what is in the containers of a packed set: each is listed with the first volume of
 *   its container
 * @param sectorOf the first sector of what is on a volume, where it is known
 */
export function* indexTsv(
  volumes: readonly Pick<PlannedVolume, 'index' | 'label' | 'entries'>[],
  members: readonly PlanEntry[] = [],
  sectorOf: SectorOf = () => undefined,
): Generator<string> {
  yield INDEX_HEAD
  const membersOn = membersByVolume(volumes, members)
  for (const { index, label, entries } of volumes) {
    for (const entry of entries) yield indexLine(index, label, entry, sectorOf(index, entry.path))
    for (const entry of membersOn.get(index) ?? []) yield indexLine(index, label, entry, undefined)
  }
}

function membersByVolume(
  volumes: readonly Pick<PlannedVolume, 'index' | 'entries'>[],
  members: readonly PlanEntry[],
): Map<number, PlanEntry[]> {
  if (members.length === 0) return new Map()
  const firstVolume = new Map<string, number>()
  const starts = (path: string, index: number): void => {
    if (!firstVolume.has(path)) firstVolume.set(path, index)
  }
  for (const { index, entries } of volumes) {
    for (const entry of entries) starts(entry.kind === 'part' ? entry.wholePath : entry.path, index)
  }
  return Map.groupBy(members, (member) => {
    const container = member.kind === 'file' ? member.in : undefined
    return (container === undefined ? undefined : firstVolume.get(container)) ?? 1
  })
}

function indexLine(index: number, label: string, entry: PlanEntry, sector: number | undefined): string {
  const isPart = entry.kind === 'part'
  const isFile = entry.kind === 'file'
  const hasContent = isFile || isPart
  const fields = [
    index,
    label,
    entry.kind,
    hasContent && entry.sha256 !== UNTOLD_SHA256 ? entry.bytes : '',
    hasContent ? entry.sha256 : '',
    escapeTsv(entry.path),
    entry.kind === 'symlink' || entry.mode === undefined ? '' : entry.mode.toString(8),
    entry.mtimeNs ?? '',
    escapeTsv(isPart ? entry.wholePath : ((isFile ? entry.linkOf : undefined) ?? '')),
    isPart ? entry.offset : '',
    isPart ? entry.wholeSha256 : '',
    entry.kind === 'symlink' ? escapeTsv(entry.target) : '',
    hasContent && entry.holes ? 'holes' : '',
    hasContent ? escapeTsv(entry.in ?? '') : '',
    hasContent ? escapeTsv(entry.member ?? '') : '',
    entry.kind === 'symlink' ? '' : (entry.method ?? ''),
    entry.owner?.uid ?? '',
    entry.owner?.gid ?? '',
    escapeTsv(entry.owner?.user ?? ''),
    escapeTsv(entry.owner?.group ?? ''),
    (entry.attributes ?? []).map(attributeText).join(' '),
    sector ?? '',
  ]
  return `${fields.join('\t')}\n`
}

const SHORT: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function attributeText({ name, value }: ExtendedAttribute): string {
  return `${escapeTsv(name).replace(/[ =]/g, hexBytes)}=0x${value}`
}

/** A path for one field of the index, by the rule that the index states at its head. */
export function escapeTsv(path: string): string {
  if (path === '') return path
  return path.replace(/[\\\p{Cc}\ud800-\udfff]/gu, (character) => SHORT[character] ?? hexBytes(character))
}
