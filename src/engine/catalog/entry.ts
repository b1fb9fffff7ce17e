import type { Bytes } from '../../primitives/bytes'

export const ENTRY_KINDS = ['file', 'folder', 'symlink', 'hardLink'] as const
/**
 * `hardLink`: a further name of a file that the survey has already counted; `linkOf` is that file's
 * id.
 */
export type EntryKind = (typeof ENTRY_KINDS)[number]

/**
 * One thing that a survey saw, as the catalog keeps it. Paths are in the lossless text form of
 * `primitives/pathText`.
 */
export interface SurveyEntry {
  readonly id: number
  readonly kind: EntryKind
  /**
   * Which of the survey's roots it lies under, and where below it (empty for the root itself). `/`
   * separates.
   */
  readonly rootIndex: number
  readonly path: string
  readonly bytes: Bytes
  readonly allocatedBytes: Bytes
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly device: bigint
  readonly inode: bigint
  readonly mode: number
  /**
   * The addon's digest of the content (32 digits, see native/src/core/blocks/blockTree.h), null for
   * what has none. Fit for finding duplicates, not for proof.
   */
  readonly digest: string | null
  /** 64 digits. */
  readonly sha256: string | null
  /** Known once the survey is finished: the catalog finds it by device and inode. */
  readonly linkOf: number | null
  readonly linkTarget: string | null
}

/**
 * An entry as the pass hands it over: the path is still the file system's bytes, valid only during
 * the call that takes it, and the digests are bytes.
 */
export type NewEntry = Omit<SurveyEntry, 'path' | 'digest' | 'sha256' | 'linkOf'> & {
  readonly path: Uint8Array
  readonly digest: Uint8Array | null
  readonly sha256: Uint8Array | null
  /**
   * The id of the entry of the earlier survey whose content it has: its SHA-256 is taken from
   * there.
   */
  readonly trustedEntry?: number
  /** By which the survey's sketch names the file's content; absent for what it does not hold. */
  readonly fileNumber?: number
}

/** The SHA-256 of a file's content, by the id of its entry. */
export interface FileSha256 {
  readonly id: number
  readonly sha256: Uint8Array
}

/** A file by the number that its contents have in fingerprints. */
export interface NumberedFile {
  readonly fileNumber: number
  readonly rootIndex: number
  /** Below the root, in lossless text; empty for the root itself. */
  readonly path: string
  readonly bytes: number
  readonly mtimeNs: bigint
  readonly sha256: string | null
}

/** The facts of a file that a later survey compares before it trusts the earlier one. */
export interface FileRow {
  readonly entryId: number
  readonly fileNumber: number
  readonly rootIndex: number
  /** Bytes of the file system, below the root. */
  readonly path: Uint8Array
  readonly bytes: number
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly device: bigint
  readonly inode: bigint
  readonly digest: Uint8Array
}
