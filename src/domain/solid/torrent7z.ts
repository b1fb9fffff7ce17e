const MIB = 1024 * 1024

const roundedUp = (value: number, step: number): number => step * Math.ceil(value / step)

/**
 * The dictionary that torrent7z chooses for an archive: half of the source, between 16 and 80 MiB and no more than 64 where no file
 * has 60 MiB; 16 MiB for a single file or where the largest is farther from the mean than the smallest (t7z.cpp,
 * GetDictionarySize, which counts in whole MiB).
 */
export function torrent7zDictionary(fileBytes: readonly number[]): number {
  const inMib = (bytes: number): number => Math.ceil(bytes / MIB)
  const total = fileBytes.reduce((sum, bytes) => sum + bytes, 0)
  const largest = inMib(fileBytes.reduce((most, bytes) => Math.max(most, bytes), 0))
  const smallest = inMib(fileBytes.reduce((least, bytes) => Math.min(least, bytes), total))
  const mean = inMib(Math.floor(total / Math.max(1, fileBytes.length)))
  if (fileBytes.length < 2 || largest - mean > mean - smallest) return 16 * MIB
  const half = roundedUp(inMib(total), 4) / 2
  return Math.min(80, Math.max(16, largest < 60 ? Math.min(half, 64) : half)) * MIB
}

/** Files that torrent7z lets a solid block hold: one block in practice. */
export function torrent7zBlockFiles(files: number): number {
  return roundedUp(files + 128, 1024)
}
