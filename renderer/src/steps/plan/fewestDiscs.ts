/**
 * Least bytes of a line of the index besides the path: digest, size, time, mode, label and the
 * empty fields.
 */
const LEAST_LINE_BYTES = 110
/**
 * Files end anywhere in their last sector: half of it stays empty on average, a little less to be
 * sure.
 */
const EMPTY_SHARE = 0.45

interface SourceTotals {
  readonly files: number
  readonly bytes: number
  readonly pathBytes?: number | undefined
}

/**
 * The fewest discs that hold files as they are: their whole sectors, and on every disc the index of
 * all files. Null where the index alone fills a disc.
 */
export function fewestDiscs(
  { files, bytes, pathBytes = 0 }: SourceTotals,
  { capacityBytes, sectorBytes }: { readonly capacityBytes: number; readonly sectorBytes: number },
): number | null {
  const room = capacityBytes - (files * LEAST_LINE_BYTES + pathBytes)
  if (room <= 0) return null
  return Math.max(1, Math.ceil((bytes + files * sectorBytes * EMPTY_SHARE) / room))
}
