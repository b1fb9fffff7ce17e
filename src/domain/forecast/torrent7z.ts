const MIB = 1024 * 1024

/** No archive has a shorter dictionary. */
export const TORRENT7Z_LEAST_DICTIONARY = 16 * MIB

const roundedUp = (value: number, step: number): number => step * Math.ceil(value / step)

/** The facts from which torrent7z chooses a dictionary. */
interface Torrent7zSource {
  readonly files: number
  readonly bytes: number
  readonly largestBytes: number
  readonly smallestBytes: number
}

/**
 * The dictionary that torrent7z chooses for an archive: half of the source, between 16 and 80 MiB
 * and no more than 64 where no file has 60 MiB; 16 MiB for a single file or where the largest is
 * farther from the mean than the smallest (t7z.cpp, GetDictionarySize, which counts in whole MiB).
 */
export function torrent7zDictionary({ files, bytes, largestBytes, smallestBytes }: Torrent7zSource): number {
  const inMib = (each: number): number => Math.ceil(each / MIB)
  const largest = inMib(largestBytes)
  const mean = inMib(Math.floor(bytes / Math.max(1, files)))
  if (files < 2 || largest - mean > mean - inMib(smallestBytes)) return 16 * MIB
  const half = roundedUp(inMib(bytes), 4) / 2
  return Math.min(80, Math.max(16, largest < 60 ? Math.min(half, 64) : half)) * MIB
}

/** The same of files whose sizes are known one by one. */
export function torrent7zSourceOf(fileBytes: readonly number[]): Torrent7zSource {
  const bytes = fileBytes.reduce((sum, each) => sum + each, 0)
  return {
    files: fileBytes.length,
    bytes,
    largestBytes: fileBytes.reduce((most, each) => Math.max(most, each), 0),
    smallestBytes: fileBytes.reduce((least, each) => Math.min(least, each), bytes),
  }
}

/** Files that torrent7z lets a solid block hold: one block in practice. */
export function torrent7zBlockFiles(files: number): number {
  return roundedUp(files + 128, 1024)
}
