import { describe, expect, it } from 'vitest'
import { fewestDiscs } from '../../../renderer/src/steps/plan/fewestDiscs'

const DISC = { capacityBytes: 40_960_000, sectorBytes: 2048 }

describe('the fewest discs', () => {
  it('count whole sectors and the index on every disc', () => {
    const photos = { files: 100_005, bytes: 1.32e9, pathBytes: 100_005 * 50 }
    expect(Math.ceil(photos.bytes / DISC.capacityBytes)).toBe(33)
    expect(fewestDiscs(photos, DISC)).toBe(57)
  })

  it('are one for a small source, and none where the index alone fills a disc', () => {
    expect(fewestDiscs({ files: 1, bytes: 1 }, DISC)).toBe(1)
    expect(fewestDiscs({ files: 400_000, bytes: 1 }, DISC)).toBeNull()
  })
})
