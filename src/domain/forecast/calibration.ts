/** Bytes of an archive's own lists, compressed. */
interface ListCost {
  readonly archiveBytes: number
  readonly fileBytes: number
  readonly pathByteShare: number
}

/**
 * Constants of the forecast of solid archives, from real runs of a codec. Shares and errors are of
 * one standard error.
 */
export interface SolidCalibration {
  readonly codec: string
  /** The program that was run, its version and its options; W is the dictionary. */
  readonly tool: string
  readonly command: string
  /** Bytes for each repeat. */
  readonly runBytes: number
  readonly runError: number
  /** For each byte in short patterns such as zeros. */
  readonly quietShare: number
  /** How much more is made of what is new for each halving of the past that a dictionary holds. */
  readonly historyShare: number
  /**
   * A rate r that was found on streams of some MiB is r^(1 + this) in an archive: a codec makes
   * more of the past that it has there, the more so the better it compresses, and nothing of what
   * has no pattern.
   */
  readonly learning: number
  /**
   * The share of content last seen between three quarters of the dictionary and all of it ago that
   * is not found; the error is half of it.
   */
  readonly edgeShare: number
  /** The error of the model itself. */
  readonly modelError: number
  /**
   * The size of the archive's own lists of files, in an archive as the program orders it and in one
   * of a tar of the proposed order.
   */
  readonly lists: ListCost
  readonly tarLists: ListCost
  readonly overheadError: number
  /** The data that it was fitted to, the data that it was tried on, and the date. */
  readonly source: string
}

const FITTED =
  'fitted on 2026-11-21 to real archives (dictionaries of 1, 4 and 32 MiB) of 24 MB each of source code, parts of ten releases of a package, programs, and made-up cartridges with clones; tried on logs, tiny files and disk images, which set no figure; packed media showed that what has no pattern forgets nothing; headers of tars took 16 to 22 bytes a file of sources, releases, tiny files and cartridges (zstd -19 --long=26 of a tar less that of the bare files), whose times hardly differ; the lists of 7z archives of the same sets took 7 to 12 bytes a file (5.7 to 9 without times), paths among them'

/** The command lines that are forecast, and what was found of each. */
export const SOLID_CALIBRATIONS: readonly SolidCalibration[] = [
  {
    codec: 'lzma2-9',
    tool: '7-Zip 26.03',
    command:
      '7zz a -mx=9 -md=W -ms=on -mmt=1 (by type with -mqs=on; in content order of a tar on standard input)',
    runBytes: 2,
    runError: 0.5,
    quietShare: 0.0002,
    historyShare: 0.007,
    learning: 0.05,
    edgeShare: 0,
    modelError: 0.035,
    lists: { archiveBytes: 100, fileBytes: 7, pathByteShare: 0.08 },
    tarLists: { archiveBytes: 200, fileBytes: 18, pathByteShare: 0.1 },
    overheadError: 0.3,
    source: FITTED,
  },
  {
    codec: 'zstd-19-long',
    tool: 'zstd 1.5.4',
    command: 'tar -cf - … | zstd -19 --long=W -T1',
    runBytes: 2,
    runError: 0.5,
    quietShare: 0.0001,
    historyShare: 0.007,
    learning: 0.055,
    edgeShare: 0.1,
    modelError: 0.035,
    lists: { archiveBytes: 100, fileBytes: 18, pathByteShare: 0.1 },
    tarLists: { archiveBytes: 100, fileBytes: 18, pathByteShare: 0.1 },
    overheadError: 0.3,
    source: `${FITTED}; the edge on four and on 21 releases of a file of 14 MB with --long=24 (6 and 11 % not found)`,
  },
]
