import { describe, expect, it } from 'vitest'
import { ArchiveFill, LEAST_FULL, MOST_REBUILDS } from '../../../../../src/domain/sets/packing/archiveFill'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

const ROOM = 1000

/** Builds archives as `packSet` does: `sizeOf` says how large one comes out. */
function filled(
  bytes: readonly number[],
  planned: number,
  sizeOf: (take: number) => number,
  ratio: number | null = null,
  later: readonly number[] = [],
): { take: number | null; size: number; builds: number } {
  const fill = new ArchiveFill(bytes, ROOM, later)
  let next: number = fill.first(planned, ratio)
  for (let builds = 1; ; builds++) {
    const decided = fill.after({ take: next, size: sizeOf(next) })
    if (decided === 'keep') return { take: fill.best?.take ?? null, size: fill.best?.size ?? 0, builds }
    next = decided.take
  }
}

const quarter = (count: number): number => count * 25
const even = Array.from({ length: 100 }, () => 50)

describe('the files of a volume’s archive', () => {
  it('stay as planned where the archive fits and fills its volume', () => {
    expect(filled(even, 39, quarter)).toEqual({ take: 39, size: 975, builds: 1 })
  })

  it('become fewer where the archive is too large', () => {
    const { take, size, builds } = filled(even, 60, quarter)
    expect(size).toBeLessThanOrEqual(ROOM)
    expect(size).toBeGreaterThan(ROOM * 0.9)
    expect(take).toBeLessThan(60)
    expect(builds).toBe(2)
  })

  it('become more where it leaves the volume too empty', () => {
    const { take, size } = filled(even, 10, quarter)
    expect(size).toBeGreaterThanOrEqual(ROOM * LEAST_FULL)
    expect(take).toBeGreaterThan(10)
  })

  it('stay as planned where fuller volumes would not be fewer', () => {
    // 100 files of 25 after packing: three volumes of 1000, filled evenly.
    const later = [33 * 50, 34 * 50]
    expect(filled(even, 33, quarter, null, later)).toEqual({ take: 33, size: 825, builds: 1 })
    expect(filled(even, 33, quarter, 0.5, later)).toEqual({ take: 33, size: 825, builds: 1 })
    // Four were planned, and three do.
    expect(filled(even, 25, quarter, null, [1250, 1250, 1250]).take).toBe(39)
    // A later volume would overflow.
    expect(filled(even, 20, quarter, null, [50 * 41, 50 * 39]).take).toBe(39)
  })

  it('are the last that fitted when more of them do not', () => {
    const sizeOf = (count: number): number => (count > 20 ? 2000 : count * 25)
    expect(filled(even, 20, sizeOf)).toEqual({ take: 20, size: 500, builds: 2 })
  })

  it('follow the archives made before from the second volume on', () => {
    expect(filled(even, 80, quarter, 0.5).builds).toBe(1)
    expect(filled(even, 10, quarter, 0.5).builds).toBe(1)
  })

  it('become fewer also where files without content follow', () => {
    expect(new ArchiveFill([0, 0, 0, 0], ROOM).after({ take: 3, size: 2000 })).toEqual({ take: 2 })
  })

  it('become more up to the number that was too large, without it', () => {
    const fill = new ArchiveFill(Array<number>(10).fill(10), ROOM, [1])
    expect(fill.after({ take: 5, size: 2000 })).toEqual({ take: 2 })
    expect(fill.after({ take: 2, size: 100 })).toEqual({ take: 4 })
  })

  it('are none when even one file is too large', () => {
    expect(filled([5000, 10], 1, () => 3000)).toEqual({ take: null, size: 0, builds: 1 })
  })

  it('are found with few rebuilds, and never overfill a volume, whatever the archives come out as', () => {
    const random = seededRandom(7)
    for (let round = 0; round < 500; round++) {
      const bytes = Array.from(
        { length: 1 + Math.floor(random.unit() * 60) },
        () => 1 + Math.floor(random.unit() * 90),
      )
      const ratios = bytes.map(() => 0.2 + random.unit())
      const sums = [0]
      for (const [at, one] of bytes.entries()) sums.push((sums.at(-1) ?? 0) + one * (ratios[at] as number))
      const planned = 1 + Math.floor(random.unit() * bytes.length)
      const { size, builds, take } = filled(
        bytes,
        planned,
        (count) => sums[count] ?? 0,
        random.unit() < 0.5 ? null : 0.7,
      )
      expect(size).toBeLessThanOrEqual(ROOM)
      expect(builds).toBeLessThanOrEqual(MOST_REBUILDS + 1)
      if ((sums[1] ?? 0) <= ROOM / 8) expect(take, `round ${round}`).not.toBeNull()
    }
  })
})
