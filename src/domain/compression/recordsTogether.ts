/** A sampled record (or whole file) as it would be stored, and how often the same bytes occur in the source. */
export interface SampledRecord {
  readonly storedBytes: number
  /** Occurrences in the whole source, itself included: at least 1. */
  readonly copies: number
  /** The probability with which this occurrence was sampled. */
  readonly probability: number
}

/** Bytes and entries of a store that both compresses and deduplicates. */
export interface Together {
  readonly storedBytes: number
  readonly uniqueRecords: number
  /** Standard errors of the two. */
  readonly storedError: number
  readonly uniqueError: number
}

/**
 * Deduplicating records and compressing what is left, from sampled occurrences: each counts 1/copies, so the copies of one content
 * add up to one (the multiplicity estimator of Birnbaum and Sirken). For a codec that treats each record by itself
 * compressing first and deduplicating the compressed records comes to the same.
 */
export function deduplicatedRecords(records: readonly SampledRecord[]): Together {
  let storedBytes = 0
  let uniqueRecords = 0
  let storedVariance = 0
  let uniqueVariance = 0
  for (const { storedBytes: bytes, copies, probability } of records) {
    const share = 1 / (copies * probability)
    storedBytes += bytes * share
    uniqueRecords += share
    storedVariance += (1 - probability) * (bytes * share) ** 2
    uniqueVariance += (1 - probability) * share ** 2
  }
  return {
    storedBytes,
    uniqueRecords,
    storedError: Math.sqrt(storedVariance),
    uniqueError: Math.sqrt(uniqueVariance),
  }
}

/**
 * Compressing whole files first and deduplicating the archives: a change anywhere changes everything after it, so only
 * whole duplicates are found.
 * @param compressedBytes of all files, duplicates included
 * @param duplicateShare the share of those bytes that belongs to further copies of files
 */
export function compressedThenDeduplicated(compressedBytes: number, duplicateShare: number): number {
  return compressedBytes * (1 - duplicateShare)
}

/** Bytes of memory that a deduplication table takes for each unique record. Documented figures; people may set their own. */
export const TABLE_ENTRY_BYTES = {
  /** The rule of thumb of ZFS's classic table. */
  zfsClassic: 320,
  /** Key of 40 and value of 256 bytes (ddt_key_t, ddt_phys_t of OpenZFS's traditional table), without the tree's own. */
  zfsTraditional: 296,
  /** Key of 40 and value of 72 bytes (OpenZFS 2.3's fast dedup), without the tree's own. */
  zfsFast: 112,
} as const

/** Memory of the table in bytes. */
export function tableMemory(
  uniqueRecords: number,
  entryBytes: number = TABLE_ENTRY_BYTES.zfsClassic,
): number {
  return uniqueRecords * entryBytes
}
