/**
 * The room `roms` knows the games of DATs, the ROM sets that they make, and how files fit them.
 * How: `datBuilder` checks every entry of a DAT, `romSets` lays games out split, merged or
 * non-merged, `headerDetectors` finds copier headers, `judgeFiles` compares what was found.
 * Not here: reading DATs, archives and files (`src/engine/roms`).
 */

/** The checksums that a DAT may have of a file. */
export const DIGEST_KINDS = ['crc', 'md5', 'sha1', 'sha256'] as const
export type DigestKind = (typeof DIGEST_KINDS)[number]

/** Checksums in lower-case hex; null where there is none. */
export type Digests = Readonly<Record<DigestKind, string | null>>

/**
 * How well a file was dumped: `baddump` is the best one known but not right, of `nodump` there is
 * none.
 */
export type DumpStatus = 'good' | 'verified' | 'baddump' | 'nodump'

/** A file of a game: a ROM, or the disk of a CHD, whose SHA-1 is of its contents. */
export interface DatFile extends Digests {
  readonly kind: 'rom' | 'disk'
  /** With `/` between folders; never absolute, and without `.` and `..`. */
  readonly name: string
  /** Null where the DAT does not say it, as of every disk. */
  readonly bytes: number | null
  /** Its name in the game that this one takes files from (`romOf`); null for a file of its own. */
  readonly merge: string | null
  readonly status: DumpStatus
  /** Known to exist, but nobody is known to have it. */
  readonly isMia: boolean
  /** The game runs without it. */
  readonly isOptional: boolean
}

/** One of the BIOSes that a machine can start with. */
export interface BiosSet {
  readonly name: string
  readonly description: string
  readonly isDefault: boolean
}

export interface DatGame {
  readonly name: string
  readonly description: string
  readonly isBios: boolean
  readonly isDevice: boolean
  /** The game that this one is a variant of; null for a parent. */
  readonly cloneOf: string | null
  /** The game that this one takes files from: its parent, or its BIOS. */
  readonly romOf: string | null
  /** The game whose samples this one uses. */
  readonly sampleOf: string | null
  readonly files: readonly DatFile[]
  readonly samples: readonly string[]
  /** Names of the devices that it contains, which may contain others. */
  readonly devices: readonly string[]
  readonly biosSets: readonly BiosSet[]
}

export interface DatHeader {
  readonly name: string
  readonly description: string
  readonly version: string
  readonly date: string
  readonly author: string
  /** The file name of the detector of copier headers, such as `No-Intro_NES.xml`. */
  readonly detector: string | null
  readonly forceMerging: string | null
  /** `obsolete` (the default), `required` or `ignore`. */
  readonly forceNoDump: string | null
  readonly forcePacking: string | null
}

export const DAT_FORMATS = ['logiqx', 'mame', 'softwarelist', 'clrmamepro'] as const
export type DatFormat = (typeof DAT_FORMATS)[number]

/** A fact about a DAT that a person should know: the sentence of the first case, and how many. */
export interface DatNote {
  readonly text: string
  readonly count: number
}

/** A DAT as it was read. */
export interface Dat {
  readonly format: DatFormat
  readonly header: DatHeader
  readonly games: readonly DatGame[]
  readonly notes: readonly DatNote[]
}

/** True where both are the same content: no checksum that both have differs, and one is equal. */
export function isSameContent(
  one: Digests & { readonly bytes: number | null },
  other: Digests & { readonly bytes: number | null },
): boolean {
  if (one.bytes !== null && other.bytes !== null && one.bytes !== other.bytes) return false
  let shared = one.bytes === 0 && other.bytes === 0
  for (const kind of DIGEST_KINDS) {
    if (one[kind] === null || other[kind] === null) continue
    if (one[kind] !== other[kind]) return false
    shared = true
  }
  return shared
}
