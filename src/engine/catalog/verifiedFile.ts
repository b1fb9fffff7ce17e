/** A volume whose last verification found it good. */
export interface VerifiedVolume {
  readonly planId: string
  readonly volume: number
  readonly label: string
  readonly checkedWallMs: number
}

/** A file of a plan that is whole on verified volumes. */
export interface VerifiedFile {
  /** 64 digits in upper case. */
  readonly sha256: string
  readonly bytes: number
  /**
   * When its source was last written to, as the plan keeps it; null in plans of older versions, and
   * where it was not asked for.
   */
  readonly mtimeNs: string | null
  /**
   * The absolute path of its source, in bytes of the file system; null where it was not asked for.
   */
  readonly source: Uint8Array | null
  /** The volumes that restoring it needs, by their places in the list. */
  readonly volumes: readonly number[]
}

export interface VerifiedFiles {
  /** By plan, newest first, and number. */
  readonly volumes: readonly VerifiedVolume[]
  /**
   * The files in pages, which may be empty: between two of them whoever reads may pause.
   * @param withSources their paths and times too, which takes several times as long
   */
  files(withSources: boolean): IterableIterator<readonly VerifiedFile[]>
}
