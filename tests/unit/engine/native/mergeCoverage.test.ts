import { join } from 'node:path'
import { expect, test } from 'vitest'
import { levelFigures } from '../../../../src/domain/survey/levelFigures'
import { startNativeSurvey } from '../../../../src/engine/native/addon'
import { mergeSketches } from '../../../../src/engine/native/sketches'
import { type SeededRandom, seededRandom } from '../../../../src/primitives/seededRandom'
import { put, temporaryFolder } from '../../../support/surveyedFolder'

const TRIALS = 200
const BLOCK = 2048
const FILES = 6
const SIZES = [2048, 4096, 8192]
/** So little that the marks of a level are a fifth of its contents or fewer. */
const MEMORY = 1 << 19

async function sketch(root: string, to: string): Promise<string> {
  const pass = startNativeSurvey({
    roots: [root],
    blocksFrom512: false,
    sha256: false,
    chunkers: [],
    maxTableBytes: MEMORY,
    threads: 1,
  })
  await pass.finished
  while (pass.takeEntries()) {
    // Only what was taken is in the sketch.
  }
  await pass.saveSketch(to)
  return to
}

/** Files of numbered blocks below a folder; gives the numbers. */
function makeFiles(folder: string, noise: Uint8Array, trial: number, random: SeededRandom): number[][] {
  return Array.from({ length: FILES }, (_, file) => {
    const numbers = Array.from({ length: 24 + random.below(60) }, () => random.below(600))
    const content = Buffer.alloc(numbers.length * BLOCK)
    for (const [index, number] of numbers.entries()) {
      content.set(noise, index * BLOCK)
      content.writeUInt32LE(trial, index * BLOCK)
      content.writeUInt32LE(number, index * BLOCK + 4)
    }
    put(folder, String(file), content)
    return numbers
  })
}

/** Bytes of different blocks of a size; a file's last block counts at its own length. */
function uniqueBytes(files: readonly number[][], size: number): number {
  const group = size / BLOCK
  const seen = new Map<string, number>()
  for (const numbers of files) {
    for (let at = 0; at < numbers.length; at += group) {
      const block = numbers.slice(at, at + group)
      seen.set(block.join(' '), block.length * BLOCK)
    }
  }
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0)
}

test('ranges of merged, sampled sketches contain the true value as often as stated', {
  tags: 'long',
}, async () => {
  const random = seededRandom(99)
  const noise = new Uint8Array(BLOCK)
  random.fillBytes(noise)
  const above = temporaryFolder()
  const held = SIZES.map(() => 0)
  const halfWidths = SIZES.map((): number[] => [])
  for (let trial = 0; trial < TRIALS; trial++) {
    const roots = ['a', 'b'].map((name) => join(above, `${trial}${name}`))
    const files = roots.flatMap((root) => makeFiles(root, noise, trial, random))
    const paths = await Promise.all(roots.map((root, side) => sketch(root, join(above, `${side}.sketch`))))
    const union = await mergeSketches(paths.map((path) => ({ path, fileMap: null })))
    const { fixedBlocks } = levelFigures(union, 0)
    for (const [index, size] of SIZES.entries()) {
      const figure = fixedBlocks.find((one) => one.blockSize === size)
      const truth = uniqueBytes(files, size)
      expect(figure?.exact).toBe(false)
      if (figure && figure.low <= truth && truth <= figure.high) held[index] = (held[index] ?? 0) + 1
      halfWidths[index]?.push(((figure?.high ?? 0) - (figure?.low ?? 0)) / 2 / truth)
    }
  }
  console.log(
    SIZES.map(
      (size, index) => `${size}: ${held[index]} of ${TRIALS}, median half-width ${median(halfWidths[index])}`,
    ),
  )
  // All together 95 in 100, and each size no fewer than chance allows (two standard deviations).
  expect(held.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(0.95 * TRIALS * SIZES.length)
  const chance = 2 * Math.sqrt(TRIALS * 0.95 * 0.05)
  for (const count of held) expect(count).toBeGreaterThanOrEqual(0.95 * TRIALS - chance)
  for (const widths of halfWidths) expect(median(widths)).toBeLessThan(0.5)
})

function median(values: readonly number[] = []): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}
