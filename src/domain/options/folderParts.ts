import type { Span } from '../../primitives/estimate'

/** A file of a source, as one option packs it. */
export interface OptionFile {
  /** True when a rule gives the file to the option. */
  readonly isIn: boolean
  /** The archive that holds it if the option packs the whole source. */
  readonly archive: string | number
  /** Files with an equal content have the same. */
  readonly content: string | number
  readonly extension: string
  readonly bytes: number
  /** The bytes that it adds to that archive, and those of one of its own; without lists. */
  readonly packedBytes: number
  readonly aloneBytes: number
  /** Its bytes where its type is stored as it is. */
  readonly asIsBytes?: number
}

/** The files of a source that one option packs, by the size of what it makes of them. */
export interface FolderPart {
  /** The permanent name of the option. */
  readonly option: string
  readonly files: number
  readonly bytes: number
  readonly archives: number
  /** The unpacked bytes of the largest archive. */
  readonly largestBytes: number
  /** Its packed size, as a share of what the option makes of the whole source. */
  readonly share: Span
  /**
   * The share of its packed size in types that other parts have files of too: how well those pack
   * in each folder is not known.
   */
  readonly mixedTypes: number
}

/** How the archives of an option are made. */
export interface ArchiveKind {
  /** True where files of one archive share what they have in common. */
  readonly isSolid: boolean
  /** The bytes of lists in an archive of so many files. */
  listBytes(files: number): number
}

interface Archive {
  files: number
  bytes: number
  packed: number
  readonly members: { content: OptionFile['content']; packed: number; alone: number; isIn: boolean }[]
}

/**
 * Sums up what an option makes of its files. An archive that other rules take files of holds only
 * the rest; what those had in common with the others it has to hold itself, which widens the range.
 */
export function folderPart(option: string, files: Iterable<OptionFile>, kind: ArchiveKind): FolderPart {
  const archives = new Map<OptionFile['archive'], Archive>()
  const types = new Map<string, TypeInParts>()
  let more = 0
  for (const file of files) {
    const { isIn, archive: key, content, extension, bytes, packedBytes, aloneBytes, asIsBytes } = file
    const type = types.get(extension) ?? { bytes: 0, partBytes: 0, packed: 0 }
    types.set(extension, type)
    type.bytes += bytes
    if (isIn) type.partBytes += bytes
    if (isIn) type.packed += packedBytes
    const archive = archives.get(key) ?? { files: 0, bytes: 0, packed: 0, members: [] }
    archives.set(key, archive)
    archive.members.push({ content, packed: packedBytes, alone: aloneBytes, isIn })
    archive.packed += packedBytes
    if (!isIn) continue
    archive.files++
    archive.bytes += bytes
    more += (asIsBytes ?? packedBytes) - packedBytes
  }
  let all = 0
  const part = { files: 0, bytes: 0, archives: 0, largestBytes: 0 }
  const size = { value: more, low: more, high: more }
  for (const archive of archives.values()) {
    all += archive.packed + kind.listBytes(archive.members.length)
    if (archive.files === 0) continue
    part.files += archive.files
    part.bytes += archive.bytes
    part.archives++
    part.largestBytes = Math.max(part.largestBytes, archive.bytes)
    const lists = kind.listBytes(archive.files)
    const isWhole = archive.files === archive.members.length
    const own = isWhole ? certain(archive.packed) : kind.isSolid ? remaining(archive) : ownOf(archive)
    size.value += own.value + lists
    size.low += own.low + lists
    size.high += own.high + lists
  }
  const shareOf = (bytes: number): number => (all > 0 ? bytes / all : 0)
  const share = { value: shareOf(size.value), low: shareOf(size.low), high: shareOf(size.high) }
  return { option, ...part, share, mixedTypes: mixedTypesOf([...types.values()]) }
}

/** A type in all parts and in one, with what it adds to the archives of that. */
interface TypeInParts {
  bytes: number
  partBytes: number
  packed: number
}

function mixedTypesOf(types: readonly TypeInParts[]): number {
  const packed = types.reduce((sum, type) => sum + type.packed, 0)
  const mixed = types.reduce((sum, type) => {
    const others = type.bytes > 0 ? 1 - type.partBytes / type.bytes : 0
    return sum + type.packed * others
  }, 0)
  return packed > 0 ? mixed / packed : 0
}

/** The packed data of an archive in which each file is packed by itself. */
function ownOf({ members }: Archive): Span {
  return certain(members.reduce((sum, { isIn, packed }) => sum + (isIn ? packed : 0), 0))
}

function certain(value: number): Span {
  return { value, low: value, high: value }
}

/**
 * The packed data of an archive of which only some files are there: at least what their contents
 * add to the whole one and what the largest takes alone, at most what all of them take alone or the
 * whole one takes. With all contents it is the whole one.
 */
function remaining({ members, packed: all }: Archive): Span {
  const ofContent = new Map<OptionFile['content'], number>()
  for (const { content, packed } of members) ofContent.set(content, (ofContent.get(content) ?? 0) + packed)
  const seen = new Set<OptionFile['content']>()
  let added = 0
  let alone = 0
  let largest = 0
  for (const member of members) {
    if (!member.isIn || seen.has(member.content)) continue
    seen.add(member.content)
    added += ofContent.get(member.content) ?? 0
    alone += member.alone
    largest = Math.max(largest, member.alone)
  }
  if (seen.size === ofContent.size) return certain(all)
  const high = Math.max(added, Math.min(alone, all))
  return { value: Math.min(high, Math.max(added, largest)), low: added, high }
}
