import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type SeededRandom, seededRandom } from '../../src/primitives/seededRandom'

/** A source and how it is planned: what decides where a disc is weakest. */
export interface ScratchShape {
  readonly name: string
  readonly mediumId: string
  readonly protect: string
  /** Bytes of the files, in the order of their names. */
  readonly sizes: (random: SeededRandom) => readonly number[]
}

const times = (count: number, bytes: (at: number) => number): number[] =>
  Array.from({ length: count }, (_, at) => bytes(at))

const shape = (
  name: string,
  mediumId: string,
  protect: string,
  sizes: ScratchShape['sizes'],
): ScratchShape => ({ name, mediumId, protect, sizes })

/** Three that are planned, built and repaired within a second each. */
export const SMALL_SHAPES: readonly ScratchShape[] = [
  shape('tiny files', 'custom:8MB', 'fill', (random) => times(900, () => 1 + random.below(900))),
  shape('one large file', 'custom:8MB', 'fill', () => [4_500_000]),
  shape('two nearly full discs', 'custom:6MB', 'fill', (random) =>
    times(86, () => 90_000 + random.below(20_000)),
  ),
]

/** Of all kinds, with the largest plans last. */
export const ALL_SHAPES: readonly ScratchShape[] = [
  ...SMALL_SHAPES,
  shape('no more than one byte', 'custom:4MB', 'fill', () => [1]),
  shape('files of one sector', 'custom:30MB', 'fill', () => times(4000, () => 2048)),
  shape('files of a sector and a byte', 'custom:30MB', '10%', () => times(3000, () => 2049)),
  shape('a share of 1 %', 'custom:60MB', '1%', (random) => times(200, () => random.below(500_000))),
  shape('a share of 100 %', 'custom:60MB', '100%', (random) => times(100, () => random.below(400_000))),
  shape('as much recovery data as files', 'custom:80MB', 'fill', (random) =>
    times(60, () => random.below(500_000)),
  ),
  shape('many discs', 'custom:10MB', 'fill', (random) => times(700, () => random.below(200_000))),
  shape('discs as full as they can be', 'custom:20MB', 'fill', () => times(960, () => 80_000)),
  shape('one huge file on several discs', 'custom:70MB', 'fill', () => [300_000_000]),
  shape('one huge file on one disc', 'custom:400MB', '5%', () => [300_000_000]),
  shape('a huge file beside tiny ones', 'custom:150MB', 'fill', (random) => [
    90_000_000,
    ...times(5000, () => random.below(3000)),
  ]),
  shape('tiny files beside a huge one', 'custom:150MB', '10%', (random) => [
    ...times(5000, () => random.below(3000)),
    90_000_000,
  ]),
  shape('photos', 'custom:250MB', 'fill', (random) => times(150, () => 2_000_000 + random.below(4_000_000))),
  shape('sizes of every power', 'custom:120MB', 'fill', (random) =>
    times(300, () => 2 ** random.below(21) + random.below(3)),
  ),
  shape('two sets', 'custom:120MB', '5%', (random) => times(16_100, () => 1 + random.below(90))),
  shape('empty files among others', 'custom:20MB', 'fill', (random) =>
    times(2000, (at) => (at % 3 === 0 ? random.below(9000) : 0)),
  ),
  shape('20,000 files on several discs', 'custom:60MB', 'fill', (random) =>
    times(20_000, () => random.below(4000)),
  ),
  shape('70,000 files', 'custom:600MB', 'fill', (random) => times(70_000, () => 1 + random.below(3000))),
  shape('70,000 files on two nearly full discs', 'custom:180MB', 'fill', (random) =>
    times(70_000, () => 1 + random.below(1200)),
  ),
]

/** Writes the files of a shape below a folder. */
export function makeShape({ sizes }: ScratchShape, folder: string): void {
  const random = seededRandom(17)
  for (const [at, bytes] of sizes(random).entries()) {
    const path = join(folder, `folder ${Math.floor(at / 500)}`, `${String(at).padStart(6, '0')} ü.bin`)
    if (at % 500 === 0) mkdirSync(dirname(path), { recursive: true })
    const content = new Uint8Array(bytes)
    random.fillBytes(content)
    writeFileSync(path, content)
  }
}
