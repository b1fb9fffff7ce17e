import { describe, expect, it } from 'vitest'
import { timeLeft } from '../../../../src/engine/jobs/timeLeft'
import { seededRandom } from '../../../../src/primitives/seededRandom'

interface Cost {
  readonly name: string
  readonly files: number
  readonly fileMs: number
  readonly bytesAMs: number
}
const DEVICES: readonly Cost[] = [
  { name: 'in memory', files: 200_000, fileMs: 0.05, bytesAMs: 2_000_000 },
  { name: 'an SSD', files: 60_000, fileMs: 0.15, bytesAMs: 500_000 },
  { name: 'a hard disk', files: 20_000, fileMs: 9, bytesAMs: 150_000 },
  { name: 'a network', files: 20_000, fileMs: 3, bytesAMs: 100_000 },
]

/** Sizes of small files, log-normal about 8 KB, with one in a hundred about 8 MB. */
function sizesOf(count: number, seed: number): number[] {
  const random = seededRandom(seed)
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
  return Array.from({ length: count }, () =>
    Math.round(Math.exp(Math.log(random.unit() < 0.01 ? 8e6 : 8e3) + 1.2 * normal())),
  )
}

/** One kind comes first, with one in twenty of the others among it: of a kind that was never met nothing can be known. */
function sorted(sizes: readonly number[], isFirst: (size: number) => boolean): number[] {
  const isEarly = (size: number, index: number): boolean => isFirst(size) || index % 20 === 0
  return [...sizes.filter(isEarly), ...sizes.filter((size, index) => !isEarly(size, index))]
}

const ORDERS: Readonly<Record<string, (sizes: number[]) => number[]>> = {
  mixed: (sizes) => sizes,
  'large ones first': (sizes) => sorted(sizes, (size) => size > 5e5),
  'large ones last': (sizes) => sorted(sizes, (size) => size <= 5e5),
}

/** Works through the files with seeded unevenness; gives forecast over truth ten times a second from 30 % of the time on. */
function ratios(sizes: readonly number[], { fileMs, bytesAMs }: Cost, seed: number): number[] {
  const random = seededRandom(seed)
  const times = sizes.map((size) => (fileMs + size / bytesAMs) * (0.75 + 0.5 * random.unit()))
  const truthMs = times.reduce((sum, time) => sum + time, 0)
  const totals = { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
  const left = timeLeft()
  const found: number[] = []
  let [startMs, bytes, nowMs] = [0, 0, 0]
  for (const [index, size] of sizes.entries()) {
    const tookMs = times[index] as number
    // Bytes are reported while a file is being read, the file when it is done.
    for (; nowMs < startMs + tookMs; nowMs += 100) {
      left.add(index, bytes + ((nowMs - startMs) / tookMs) * size, nowMs)
      if (nowMs < 0.3 * truthMs || truthMs - nowMs < 1000) continue
      found.push((left.etaMs(totals) ?? Number.NaN) / (truthMs - nowMs))
    }
    startMs += tookMs
    bytes += size
  }
  return found
}

describe('the time left', () => {
  for (const device of DEVICES) {
    for (const [name, ordered] of Object.entries(ORDERS)) {
      it(`on ${device.name}, ${name}, is near the actual time after the beginning`, () => {
        for (let seed = 1; seed <= 3; seed++) {
          const found = ratios(ordered(sizesOf(device.files, seed)), device, seed)
          expect(found.length).toBeGreaterThan(10)
          for (const ratio of found) {
            expect(ratio).toBeGreaterThan(0.5)
            expect(ratio).toBeLessThan(2)
          }
        }
      })
    }
  }

  it('follows a kind of file that was never met before', () => {
    const device = { name: 'a disk', files: 690, fileMs: 30, bytesAMs: 60_000 }
    const sizes = [...Array<number>(90).fill(3_000_000), ...Array<number>(600).fill(11_000)]
    for (const ratio of ratios(sizes, device, 1)) {
      expect(ratio).toBeGreaterThan(0.5)
      expect(ratio).toBeLessThan(2)
    }
  })
})
