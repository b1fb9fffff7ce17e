import type { AppErrorCode } from '../../primitives/appError'

/**
 * The entries of an image, one item a column for each: the root first, every folder before what is
 * in it. `contents` has the first entry with the same content; texts are the bytes of all, and
 * where each one's end.
 */
export interface RawImageEntries {
  /** 0 folder, 1 file, 2 symbolic link. */
  readonly kinds: Uint8Array
  /** 1: its bytes come after those of all others. */
  readonly lasts: Uint8Array
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

/** Where the content of an entry comes from: a file, or the bytes themselves. */
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

export interface RawImageLayout {
  sectors(): number
  /** For each entry; 0 for one without content. */
  firstSectors(): Float64Array
  write(
    output: number,
    sources: readonly RawContentSource[],
    hashFiles: boolean,
    hashImage: boolean,
  ): {
    bytesDone(): number
    cancel(): void
    readonly finished: Promise<{
      readonly cancelled: boolean
      readonly sha256: Uint8Array | null
      /** A null entry: the output failed. */
      readonly failure: {
        readonly entry: number | null
        readonly code: AppErrorCode
        readonly cause: string
      } | null
    }>
  }
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
