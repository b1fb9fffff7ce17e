import { expect, it } from 'vitest'
import { certainScratch, type PlacedSet } from '../../../../../src/domain/sets/protection/scratch'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

const SECTOR = 2048

/** True where a run of sectors takes what the recovery blocks left bring back: sector by sector. */
function isRepairable(sets: readonly PlacedSet[], blockBytes: number, first: number, count: number): boolean {
  const start = first * SECTOR
  const end = (first + count) * SECTOR
  const isHit = (offset: number, bytes: number): boolean => {
    const from = Math.floor(offset / SECTOR) * SECTOR
    const to = Math.ceil((offset + bytes) / SECTOR) * SECTOR
    return from < end && to > start
  }
  return sets.every(({ contents, recoveryBlocks, recovery, descriptions }) => {
    let inputs = 0
    for (const { offset, bytes } of contents)
      for (let at = 0; at < bytes; at += blockBytes)
        if (isHit(offset + at, Math.min(blockBytes, bytes - at))) inputs += 1
    if (inputs === 0) return true
    let left = 0
    for (let block = 0; block < recoveryBlocks; block++)
      if (!isHit(recovery.offset + block * recovery.packetBytes, recovery.packetBytes)) left += 1
    return inputs <= left && descriptions.some(({ offset, bytes }) => !isHit(offset, bytes))
  })
}

/** The longest run that is repairable wherever it lies, by trying all. */
function slowScratch(sets: readonly PlacedSet[], blockBytes: number, sectors: number): number {
  for (let count = 1; count <= sectors; count++)
    for (let first = 0; first + count <= sectors; first++)
      if (!isRepairable(sets, blockBytes, first, count)) return count - 1
  return sectors
}

/** Files dealt to sets, then the recovery files, with gaps. */
function layoutOf(seed: number): { sets: PlacedSet[]; blockBytes: number; sectors: number } {
  const random = seededRandom(seed)
  const below = (limit: number): number => random.below(limit)
  const blockBytes = [64, 1024, 2048, 4096, 6144, 2624][below(6)] as number
  const count = 1 + below(3)
  const contents = Array.from({ length: count }, (): { offset: number; bytes: number }[] => [])
  let sector = below(4)
  for (let file = 0; file < 4 + below(8); file++) {
    const bytes = 1 + below(12_000)
    contents[file % count]?.push({ offset: sector * SECTOR, bytes })
    sector += Math.ceil(bytes / SECTOR) + (below(4) === 0 ? below(3) : 0)
  }
  const packetBytes = 68 + blockBytes
  const sets = contents.map((files): PlacedSet => {
    const described = 400 + below(3000)
    const recoveryBlocks = 1 + below(6)
    const first = { offset: sector * SECTOR, bytes: described }
    sector += Math.ceil(described / SECTOR)
    const offset = sector * SECTOR
    const recovery = { offset: offset + described, packetBytes }
    const after = { offset: recovery.offset + recoveryBlocks * packetBytes, bytes: described }
    sector += Math.ceil((2 * described + recoveryBlocks * packetBytes) / SECTOR)
    const descriptions = [first, { offset, bytes: described }, after]
    return { contents: files, recoveryBlocks, descriptions, recovery }
  })
  return { sets, blockBytes, sectors: sector + below(4) }
}

it('promises the longest scratch that is repairable wherever it lies', () => {
  const found = new Set<number>()
  for (let seed = 1; seed <= 300; seed++) {
    const { sets, blockBytes, sectors } = layoutOf(seed)
    const { sectors: promised, worst } = certainScratch(sets, blockBytes, sectors)
    expect(promised, `seed ${seed}`).toBe(slowScratch(sets, blockBytes, sectors))
    if (promised < sectors)
      expect(isRepairable(sets, blockBytes, worst, promised + 1), `seed ${seed}`).toBe(false)
    found.add(promised)
  }
  expect(found.size).toBeGreaterThan(5)
})

it('promises nothing without enough recovery blocks for one sector', () => {
  const sets = [
    {
      contents: [{ offset: 0, bytes: 2048 }],
      recoveryBlocks: 1,
      descriptions: [{ offset: 4096, bytes: 10 }],
      recovery: { offset: 6144, packetBytes: 132 },
    },
  ]
  expect(certainScratch(sets, 64, 5).sectors).toBe(0)
})
