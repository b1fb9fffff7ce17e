import type { AppErrorCode } from '../../primitives/appError'

/**
 * The entries of an image, one item a column for each: the root first, every folder before what is
 * in it. `contents` has the first entry with the same content; texts are the bytes of all, and
 * where each one's end.
 */
export interface RawImageEntries {
  /** 0 folder, 1 file, 2 symbolic link. */
  readonly kinds: Uint8Array
  /** The bytes of each rank come after those of the lower ones. */
  readonly ranks: Uint8Array
  readonly parents: Uint32Array
  readonly contents: Uint32Array
  readonly modes: Uint32Array
  readonly users: Uint32Array
  readonly groups: Uint32Array
  /** When it was last changed, since 1970. */
  readonly seconds: Float64Array
  readonly nanoseconds: Uint32Array
  /** When it was made, since 1970; NaN where that is not known. */
  readonly createdSeconds: Float64Array
  readonly createdNanoseconds: Uint32Array
  readonly bytes: Float64Array
  readonly names: Uint8Array
  readonly nameEnds: Uint32Array
  readonly targets: Uint8Array
  readonly targetEnds: Uint32Array
}

export interface RawImageNames {
  readonly label: string
  /** 16 characters that no other image has. */
  readonly uniqueId: string
  readonly application: string
  readonly madeSeconds: number
  /** False: ISO 9660 alone. Absent: with UDF. */
  readonly hasUdf?: boolean
}

/** Places that are given instead of computed: those of an image on which more files are. */
export interface RawImagePlaces {
  /** The whole image. */
  readonly sectors: number
  /** For each entry the first sector of its bytes; 0 for one without content. */
  readonly firstSectors: Float64Array
}

/**
 * Where the content of an entry comes from: a file, the bytes themselves, or the recovery blocks of
 * a set, with a head of 68 bytes for each and a frame around all.
 */
export type RawContentSource =
  | {
      readonly entry: number
      readonly path: Uint8Array
      /** A part of a larger file begins here. */
      readonly offset: number
      /** Its content must have this digest. */
      readonly sha256: Uint8Array | null
    }
  | { readonly entry: number; readonly content: Uint8Array }
  | { readonly entry: number; readonly set: number; readonly heads: Uint8Array; readonly frame: Uint8Array }

/** PAR2 sets that are made of the files of an image while it is written. */
export interface RawImageProtection {
  readonly blockBytes: number
  /** The bytes of each recovery block that are made at a time; all, or the files are read again. */
  readonly partBytes: number
  /** A new file for recovery blocks that are made in parts; its name is removed at once. */
  readonly scratch: Uint8Array
  /** How many each set gets. */
  readonly recoveryBlocks: readonly number[]
  /** Files from this rank on, and all behind the first of them, are left to the second step. */
  readonly restRank: number
  readonly threads: number
  /** The protected files, by the first entries of their contents. */
  readonly entries: Uint32Array
  readonly sets: Uint32Array
  /** The index of the first block of each in its set. */
  readonly firstBlocks: Float64Array
}

interface RawWriting<Outcome> {
  bytesDone(): number
  cancel(): void
  readonly finished: Promise<Outcome>
}

export interface RawWritingOutcome {
  readonly cancelled: boolean
  readonly sha256: Uint8Array | null
  /** A null entry: the output failed. */
  readonly failure: {
    readonly entry: number | null
    readonly code: AppErrorCode
    readonly cause: string
  } | null
}

/** The first step of an image with a protection. */
export interface RawProtectedOutcome extends RawWritingOutcome {
  /** The protected files, and 32 bytes for each: MD5 of it and of its first 16 KiB. */
  readonly entries: Uint32Array
  readonly files: Uint8Array
  /** 20 bytes for each block, in the order of the files: MD5, CRC-32. */
  readonly blocks: Uint8Array
  /** Writes the rest of the image. */
  writeRest(sources: readonly RawContentSource[]): RawWriting<RawWritingOutcome>
}

export interface RawImageLayout {
  sectors(): number
  /** For each entry; 0 for one without content. */
  firstSectors(): Float64Array
  write(
    output: number,
    sources: readonly RawContentSource[],
    hashFiles: boolean,
    hashImage: boolean,
  ): RawWriting<RawWritingOutcome>
  write(
    output: number,
    sources: readonly RawContentSource[],
    hashFiles: boolean,
    hashImage: boolean,
    protection: RawImageProtection,
  ): RawWriting<RawProtectedOutcome>
}

export interface RawDiscImage {
  layOutDiscImage(
    columns: RawImageEntries & RawImageNames,
    places?: RawImagePlaces,
  ): {
    cancel(): void
    readonly finished: Promise<RawImageLayout>
  }
}
