import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../../../src/primitives/seededRandom.ts'

/** Files of a source in the order in which mkisofs writes them, and the disk that they lie on. */
export interface Mix {
  readonly name: string
  readonly sizes: readonly number[]
  readonly openMicroseconds: number
  readonly diskBytesPerSecond: number
}

const MB = 1e6

/** Small and large files in random order, as in the seed's burn: 70 % of the bytes in files of `largeBytes` on average. */
export function mixed(name: string, bytes: number, largeBytes: number, smallBytes: number, seed = 1): Mix {
  const random = seededRandom(seed)
  const drawn = (mean: number): number => Math.ceil(-Math.log(1 - random.unit()) * mean)
  const sizes: number[] = []
  for (const [part, mean] of [
    [0.7, largeBytes],
    [0.3, smallBytes],
  ] as const) {
    for (let left = bytes * part; left > 0; left -= sizes.at(-1) as number) sizes.push(drawn(mean))
  }
  for (let at = sizes.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[sizes[at], sizes[other]] = [sizes[other] as number, sizes[at] as number]
  }
  return { name, sizes, openMicroseconds: 6000, diskBytesPerSecond: 45 * MB }
}

/** Pictures of some megabytes with small files beside each, on a slow stick. */
export function pictures(): Mix {
  const random = seededRandom(2)
  const sizes = Array.from({ length: 34 }, () => [
    ...Array.from({ length: 12 }, () => 500 + random.below(4000)),
    Math.round(MB * Math.exp(0.5 * (random.unit() + random.unit() + random.unit() - 1.5) * 2) * 2.2),
  ]).flat()
  return { name: 'pictures', sizes, openMicroseconds: 12_000, diskBytesPerSecond: 25 * MB }
}

/** Folders of mail, each followed by one of films. */
export function mailAndFilms(): Mix {
  const random = seededRandom(3)
  const sizes = Array.from({ length: 3 }, () => [
    ...Array.from({ length: 220 }, () => Math.ceil(-Math.log(1 - random.unit()) * 12_000)),
    ...Array.from({ length: 4 }, () => 4 * MB + random.below(5 * MB)),
  ]).flat()
  return { name: 'mail and films', sizes, openMicroseconds: 8000, diskBytesPerSecond: 40 * MB }
}

/** Writes a mix's files into one folder, where their names are their order. */
export function writeMix({ sizes }: Mix, folder: string, seed: number): string[] {
  mkdirSync(folder, { recursive: true })
  const random = seededRandom(seed)
  const content = new Uint8Array(Math.max(...sizes) + 4096)
  random.fillBytes(content)
  return sizes.map((bytes, at) => {
    const name = `f${String(at).padStart(6, '0')}`
    const from = random.below(4096)
    writeFileSync(join(folder, name), content.subarray(from, from + bytes))
    return name
  })
}
