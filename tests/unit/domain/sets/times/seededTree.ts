import { seededRandom } from '../../../../../src/primitives/seededRandom'

/** Sizes of files in a random order: `share` of the bytes in files of `largeBytes` on average, the others in files of `smallBytes`. */
export function seededTree(
  seed: number,
  {
    bytes,
    share,
    largeBytes,
    smallBytes,
  }: { bytes: number; share: number; largeBytes: number; smallBytes: number },
): number[] {
  const random = seededRandom(seed)
  const drawn = (mean: number): number => Math.ceil(-Math.log(1 - random.unit()) * mean)
  const sizes: number[] = []
  for (const [part, mean] of [
    [share, largeBytes],
    [1 - share, smallBytes],
  ] as const) {
    for (let left = bytes * part; left > 0; left -= sizes.at(-1) as number) sizes.push(drawn(mean))
  }
  for (let at = sizes.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[sizes[at], sizes[other]] = [sizes[other] as number, sizes[at] as number]
  }
  return sizes
}
