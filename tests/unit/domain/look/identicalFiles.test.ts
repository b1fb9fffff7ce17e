import { describe, expect, it } from 'vitest'
import { type ComparedClass, identicalFiles } from '../../../../src/domain/look/identicalFiles'
import { comparedOf, drawClasses, type SizeClass } from '../../../../src/domain/look/sizeClasses'
import { type SeededRandom, seededRandom } from '../../../../src/primitives/seededRandom'

/** A source by sizes: the content of each file of a size. */
type Source = ReadonlyMap<number, readonly number[]>

/** Classes of which some have identical files: `share` of the files repeat another one. */
function sourceOf(random: SeededRandom, classes: number, largest: number, share: number): Source {
  return new Map(
    Array.from({ length: classes }, () => {
      const files = 2 + random.below(largest - 1)
      let contents = 0
      const all = Array.from({ length: files }, () =>
        contents > 0 && random.unit() < share ? random.below(contents) : contents++,
      )
      return [1 + random.below(2 ** (4 + random.below(20))), all] as const
    }),
  )
}

function savedBy(source: Source): number {
  return [...source].reduce((sum, [bytes, all]) => sum + bytes * (all.length - new Set(all).size), 0)
}

function compared(one: SizeClass, all: readonly number[], random: SeededRandom): ComparedClass {
  const chosen = all
    .map((content) => ({ content, at: random.unit() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, comparedOf(one))
  const counts = new Map<number, number>()
  for (const { content } of chosen) counts.set(content, (counts.get(content) ?? 0) + 1)
  const pairs = [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0)
  return { ...one, compared: chosen.length, alike: chosen.length - counts.size, doubtful: 0, pairs }
}

function estimated(source: Source, mostFiles: number, draw: number): ReturnType<typeof identicalFiles> {
  const sizes = Float64Array.from([...source].flatMap(([bytes, all]) => all.map(() => bytes)))
  const { drawn, tau, mostSavedBytes } = drawClasses(sizes, mostFiles, draw)
  const random = seededRandom(1000 + draw)
  const found = drawn.map((one) => compared(one, source.get(one.bytes) ?? [], random))
  return identicalFiles(found, tau, mostSavedBytes)
}

describe('what identical files take more than once', () => {
  it('is exact where every file of equal size was compared', () => {
    const source = sourceOf(seededRandom(1), 30, 5, 0.5)
    const saved = savedBy(source)
    expect(estimated(source, 1000, 0)).toEqual({ value: saved, low: saved, high: saved })
  })

  it('is nothing for sure where no two files have the same size', () => {
    const sizes = Float64Array.from([1, 2, 3, 0, 0])
    const { drawn, tau, mostSavedBytes, classes } = drawClasses(sizes, 10, 0)
    expect({ drawn, tau, mostSavedBytes, classes }).toEqual({
      drawn: [],
      tau: null,
      mostSavedBytes: 0,
      classes: 0,
    })
    expect(identicalFiles([], null, 0)).toEqual({ value: 0, low: 0, high: 0 })
  })

  it('is anything up to all where nothing was compared', () => {
    expect(identicalFiles([], 1e-9, 500)).toEqual({ value: 0, low: 0, high: 500 })
  })

  it('says that files of one repeated value may differ elsewhere', () => {
    const found = [{ bytes: 100, files: 3, priority: 0, compared: 3, alike: 2, doubtful: 2, pairs: 3 }]
    expect(identicalFiles(found, null, 200)).toEqual({ value: 200, low: 0, high: 200 })
  })

  it('leaves room where all compared classes agree that nothing is identical', () => {
    const source = sourceOf(seededRandom(3), 500, 4, 0)
    const { value, low, high } = estimated(source, 60, 0)
    expect({ value, low }).toEqual({ value: 0, low: 0 })
    expect(high).toBeGreaterThan(0)
  })

  it.each([
    ['few identical files', 600, 4, 0.1],
    ['many identical files', 600, 4, 0.6],
    ['files of one size by the hundred, few identical', 12, 3000, 0.02],
    ['files of one size by the hundred, half of them identical', 12, 3000, 0.5],
  ])('has a range that holds in 95 of 100 draws: %s', (_name, classes, largest, share) => {
    const source = sourceOf(seededRandom(5), classes, largest, share)
    const saved = savedBy(source)
    const inside = Array.from({ length: 200 }, (_, draw) => estimated(source, 400, draw)).filter(
      ({ low, high }) => low <= saved && saved <= high,
    )
    expect(inside.length).toBeGreaterThanOrEqual(188)
  })
})
