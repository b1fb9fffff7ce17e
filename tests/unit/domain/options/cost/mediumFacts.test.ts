import { describe, expect, it } from 'vitest'
import { listMedia, resolveMedium } from '../../../../../src/domain/media/resolveMedium'
import { mediumFacts } from '../../../../../src/domain/options/cost/mediumFacts'
import { mediaCatalogue } from '../../../../../src/engine/media/mediaCatalogue'
import { isSound } from '../../../../fixtures/options/optionFacts'

const of = (id: string) => mediumFacts(mediaCatalogue, resolveMedium(mediaCatalogue, id))

describe('media as options know them', () => {
  it('have assumed rates of a usual drive, with their source', () => {
    for (const medium of listMedia(mediaCatalogue)) {
      const facts = mediumFacts(mediaCatalogue, medium)
      expect(facts.capacityBytes).toBe(medium.capacityBytes)
      for (const figure of [facts.writeBytesPerSecond, facts.readBytesPerSecond, facts.volumeSeconds]) {
        expect(figure && isSound(figure)).toBe(true)
        expect(figure?.provenance).toBe('assumed')
      }
    }
  })

  it('write a BD-R at 6x by rim speed in about 22 minutes', () => {
    const { writeBytesPerSecond, capacityBytes } = of('bd-r-25:spare-none')
    const minutes = (capacityBytes ?? 0) / (writeBytesPerSecond?.value ?? 1) / 60
    expect(minutes).toBeGreaterThan(21)
    expect(minutes).toBeLessThan(23)
    // 2x at constant linear velocity takes 46.4 minutes, which the range allows for.
    expect((capacityBytes ?? 0) / (writeBytesPerSecond?.low ?? 1) / 60).toBeGreaterThan(46.4)
  })

  it('are written at half speed where the drive checks what it writes', () => {
    const [none, min] = [of('bd-r-25:spare-none'), of('bd-r-25:spare-min')]
    expect(min.writeBytesPerSecond?.value).toBeCloseTo((none.writeBytesPerSecond?.value ?? 0) / 2, 3)
    expect(min.readBytesPerSecond?.value).toBe(none.readBytesPerSecond?.value)
  })

  it('have the target’s rates where no drive is needed', () => {
    expect(of('folder:4GB')).toMatchObject({
      kind: 'folder',
      writeBytesPerSecond: null,
      readBytesPerSecond: null,
      volumeSeconds: null,
    })
  })
})
