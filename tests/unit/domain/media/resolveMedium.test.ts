import { describe, expect, it } from 'vitest'
import { mediumSchema } from '../../../../src/contract/dto/plan'
import { listMedia, resolveMedium } from '../../../../src/domain/media/resolveMedium'
import { mediaCatalogue } from '../../../../src/engine/media/mediaCatalogue'

describe('the media catalogue', () => {
  it('has the media and variants that plans may name', () => {
    expect(listMedia(mediaCatalogue).map((medium) => [medium.id, medium.capacitySectors])).toEqual([
      ['cd-650', 333_000],
      ['cd-700', 359_424],
      ['cd-700:nominal', 360_000],
      ['dvd+r', 2_295_104],
      ['dvd-r', 2_298_496],
      ['dvd-r-dl', 4_171_712],
      ['dvd+r-dl', 4_173_824],
      ['bd-r-25', 12_088_320],
      ['bd-r-25:spare-none', 12_219_392],
      ['bd-r-25:spare-min', 12_088_320],
      ['bd-r-25:spare-default', 11_826_176],
      ['bd-r-25:spare-max', 11_564_032],
      ['bd-r-50', 23_652_352],
      ['bd-r-50:spare-none', 24_438_784],
      ['bd-r-50:spare-default', 23_652_352],
      ['bdxl-100', 47_305_728],
      ['bdxl-100:spare-none', 48_878_592],
      ['bdxl-100:spare-default', 47_305_728],
      ['bdxl-128', 60_403_712],
      ['bdxl-128:spare-none', 62_500_864],
      ['bdxl-128:spare-default', 60_403_712],
    ])
  })

  it('lists media that resolve to themselves and fit the contract', () => {
    for (const medium of listMedia(mediaCatalogue)) {
      expect(resolveMedium(mediaCatalogue, medium.id)).toEqual(medium)
      expect(mediumSchema.parse(medium)).toEqual(medium)
      expect(medium.capacityBytes).toBe(medium.capacitySectors * 2048)
    }
  })

  it('takes for the plain id of a BD what fits however it is formatted by default', () => {
    for (const id of ['bd-r-25', 'bd-r-50', 'bdxl-100', 'bdxl-128']) {
      const none = resolveMedium(mediaCatalogue, `${id}:spare-none`)
      expect(resolveMedium(mediaCatalogue, id).capacitySectors).toBeLessThan(none.capacitySectors)
    }
  })
})

describe('media of any size', () => {
  it('are images of whole sectors, rounded down', () => {
    expect(resolveMedium(mediaCatalogue, 'custom:700MB')).toMatchObject({
      family: 'custom',
      kind: 'image',
      sectorBytes: 2048,
      capacitySectors: 341_796,
      capacityBytes: 699_998_208,
    })
    expect(resolveMedium(mediaCatalogue, 'custom:4095').capacitySectors).toBe(1)
    for (const id of ['custom:20 MB', 'folder: 20 MB'])
      expect(resolveMedium(mediaCatalogue, id)).toEqual(resolveMedium(mediaCatalogue, id.replaceAll(' ', '')))
  })

  it('are folders of whole allocation units, rounded down', () => {
    expect(resolveMedium(mediaCatalogue, 'folder:1GiB')).toMatchObject({
      family: 'folder',
      kind: 'folder',
      sectorBytes: 4096,
      capacitySectors: 262_144,
    })
  })

  it('fit the contract', () => {
    for (const id of ['custom:4.7GB', 'folder:64GiB']) {
      expect(mediumSchema.parse(resolveMedium(mediaCatalogue, id)).id).toBe(id)
    }
  })
})

describe('an id that names no medium', () => {
  it.each([
    ['floppy', 'no medium "floppy": there are cd-650, cd-700,'],
    ['floppy:spare-none', 'no medium "floppy:spare-none"'],
    ['', 'no medium ""'],
    ['25GB', 'images of that size are custom:25GB'],
    ['bd-r-25:spare-huge', 'no variant "spare-huge" of medium bd-r-25: there are bd-r-25:spare-none,'],
    ['bdxl-128:spare-min', 'no variant "spare-min" of medium bdxl-128: there are bdxl-128:spare-none'],
    ['dvd-r:', 'no variant "" of medium dvd-r: it has none'],
    ['custom', 'medium "custom" needs a size'],
    ['folder:', 'medium "folder:" needs a size'],
    ['custom:big', 'medium "custom:big": not a size: "big"'],
    ['custom:2047', 'medium "custom:2047" is too small'],
    ['folder:0', 'medium "folder:0" is too small'],
  ])('is a wrong use that says what is right: %j', (id, message) => {
    expect(() => resolveMedium(mediaCatalogue, id)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) as string }),
    )
  })
})
