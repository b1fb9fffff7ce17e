import { describe, expect, it } from 'vitest'
import type { Option } from '../../../../src/contract/dto/options'
import { resolveMedium } from '../../../../src/domain/media/resolveMedium'
import { DISK_FACTS, mediumFacts } from '../../../../src/domain/options/cost/mediumFacts'
import { mediaCatalogue } from '../../../../src/engine/media/mediaCatalogue'
import { planOf } from '../../../../src/engine/options/plannability'
import { exact } from '../../../../src/primitives/estimate'

const CAN = { possible: true, because: null }
const NOTHING = { encryption: 'none', protection: 0 } as const
const DISC = mediumFacts(mediaCatalogue, resolveMedium(mediaCatalogue, 'cd-700'))

function option(variant: string, high = 1e6): Pick<Option, 'variant' | 'estimate'> {
  const bytes = { ...exact(high / 2, ''), high }
  return { variant, estimate: { bytes } as Option['estimate'] }
}

describe('what a plan packs an option into', () => {
  it.each([
    ['plain', 'plain', 'plain'],
    ['plain-hardlinks', 'plain', 'plain'],
    ['iso', 'plain', 'archive'],
    ['7z-solid-64m-path', 'archive', 'archive'],
    ['tar-zst-19-64m-path', 'archive', 'archive'],
    ['7z-titles', 'many', 'many'],
    ['torrentzip-titles', 'many', 'many'],
    ['borg-1-zstd-3', 'repository', 'repository'],
  ])('is known for %s on discs and on a disk', (variant, onDiscs, onDisk) => {
    expect(planOf(option(variant), CAN, DISC, NOTHING)).toEqual({ form: onDiscs, because: null })
    expect(planOf(option(variant), CAN, DISK_FACTS, NOTHING)).toEqual({ form: onDisk, because: null })
  })

  it('is nothing for a repository that is larger than a volume', () => {
    const answer = planOf(option('borg-1-zstd-3', 1e9), CAN, DISC, NOTHING)
    expect(answer).toEqual({ form: null, because: 'it may have 1.00 GB and must be on one volume' })
    expect(planOf(option('borg-1-zstd-3', 1e9), CAN, DISK_FACTS, NOTHING).form).toBe('repository')
    expect(planOf(option('7z-solid-64m-path', 1e9), CAN, DISC, NOTHING).form).toBe('archive')
  })

  it('is nothing where only sizes are forecast, and where it cannot be built', () => {
    expect(planOf(option('7z-titles+blocks-4k'), CAN, DISC, NOTHING).because).toMatch(/only forecast/)
    const because = 'borg is not installed'
    expect(planOf(option('borg-1-lz4'), { possible: false, because }, DISK_FACTS, NOTHING)).toEqual({
      form: null,
      because,
    })
  })

  it.each(['udrw', 'udsp', 'udsb', 'asif'])(
    'is a disk image for %s on a disk, though only a Mac builds it',
    (variant) => {
      const build = { possible: false, because: 'only macOS writes it' }
      expect(planOf(option(variant), build, DISK_FACTS, NOTHING)).toEqual({ form: 'macImage', because: null })
      const secret = { encryption: 'aes-256', protection: 0 } as const
      expect(planOf(option(variant), build, DISK_FACTS, secret).form).toBe('macImage')
      expect(planOf(option(variant), build, DISC, NOTHING).because).toMatch(/not to discs; choose udzo/)
    },
  )

  it('is nothing for a disk image with what no Mac program adds', () => {
    const build = { possible: false, because: 'only macOS writes it' }
    const weak = { encryption: 'aes-128', protection: 0 } as const
    expect(planOf(option('asif'), build, DISK_FACTS, weak).because).toMatch(/AES-256 only/)
    const guarded = { encryption: 'none', protection: 0.1 } as const
    expect(planOf(option('udsb'), build, DISK_FACTS, guarded).because).toMatch(/cannot add redundancy/)
  })
})
