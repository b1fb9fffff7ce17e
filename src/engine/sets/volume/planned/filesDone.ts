/**
 * Counts files by their bytes, where they are worked on in their order: a function from the bytes
 * done, which never fall, to the files done.
 */
export function filesDone(sizes: readonly number[]): (bytesDone: number) => number {
  let files = 0
  let bytes = 0
  return (bytesDone) => {
    for (; files < sizes.length; files++) {
      const end = bytes + (sizes[files] as number)
      if (end > bytesDone) break
      bytes = end
    }
    return files
  }
}
