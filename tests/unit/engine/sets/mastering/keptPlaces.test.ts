import { describe, expect, it } from 'vitest'
import type { ImageContents } from '../../../../../src/engine/discImages/imageEntries'
import type { RawImageLayout } from '../../../../../src/engine/native/discImage'
import { keptPlaces } from '../../../../../src/engine/sets/mastering/keptPlaces'
import type { ImagePlaces } from '../../../../../src/engine/sets/mastering/ownLayout'
import { protectedContents } from '../../../../../src/engine/sets/mastering/protectedContents'
import { RECOVERY_RANK } from '../../../../../src/engine/sets/mastering/recoveryFiles'

const SECTOR = 2048

/** Contents by path, with their lengths in sectors. */
function contentsOf(files: Readonly<Record<string, number>>): ImageContents {
  const numbers = new Map(Object.keys(files).map((path, at) => [path, at]))
  const bytes = Float64Array.from(Object.values(files), (sectors) => sectors * SECTOR)
  const contents = Uint32Array.from(bytes, (_, at) => at)
  return { numbers, entries: { bytes, contents } } as unknown as ImageContents
}

const layoutOf = (sectors: number, firsts: readonly number[]): RawImageLayout =>
  ({ sectors: () => sectors, firstSectors: () => Float64Array.from(firsts) }) as RawImageLayout

describe('the places on an image without some files', () => {
  const planned = {
    layout: layoutOf(64, [10, 20, 30]),
    contents: contentsOf({ a: 10, list: 2, b: 10 }),
  }

  it('are the planned ones, but for a list that has grown past its own', () => {
    const places = keptPlaces(planned, contentsOf({ a: 10, list: 15, b: 10 }), 'A_01')
    expect([...places.firstSectors]).toEqual([10, 40, 30])
    expect(places.sectors).toBe(64)
  })

  it('never reach the last sector, which holds an anchor', () => {
    const fits = keptPlaces(planned, contentsOf({ a: 10, list: 23, b: 10 }), 'A_01')
    expect([...fits.firstSectors]).toEqual([10, 40, 30])
    expect(() => keptPlaces(planned, contentsOf({ a: 10, list: 24, b: 10 }), 'A_01')).toThrow(
      /no room for the list of files left out/,
    )
  })
})

describe('the contents that recovery data is made of', () => {
  it('end before the first recovery file', () => {
    const ranks = [0, RECOVERY_RANK, 0, 0]
    const { numbers, entries } = contentsOf({ a: 10, recovery: 5, same: 5, behind: 5 })
    const places = {
      layout: layoutOf(64, [10, 20, 20, 25]),
      contents: { numbers, entries: { ...entries, ranks } },
    }
    expect(protectedContents(places as unknown as ImagePlaces).map(({ path }) => path)).toEqual(['a'])
  })
})
