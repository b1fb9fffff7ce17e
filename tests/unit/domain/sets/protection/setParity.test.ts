import { describe, expect, it } from 'vitest'
import { parityLabels, requireSetProtection } from '../../../../../src/domain/sets/protection/setParity'

describe('parity across discs', () => {
  it('is labelled after the set, and after the generation where an archive grows', () => {
    expect(parityLabels('PHOTOS', 1, ['P', 'Q'], ['PHOTOS_01'])).toEqual(['PHOTOS_P', 'PHOTOS_Q'])
    expect(parityLabels('PHOTOS', 3, ['P'], ['PHOTOS_07'])).toEqual(['PHOTOS_3_P'])
    expect(() => parityLabels('PHOTOS', 1, ['P'], ['PHOTOS_P'])).toThrow('cannot label two volumes PHOTOS_P')
  })

  it('is made of images on one medium alone', () => {
    const plan = { mediumKind: 'image', isMixed: false, isPacked: false } as const
    expect(() => requireSetProtection(plan)).not.toThrow()
    expect(() => requireSetProtection({ ...plan, mediumKind: 'folder' })).toThrow('folders')
    expect(() => requireSetProtection({ ...plan, isMixed: true })).toThrow('one medium')
    expect(() => requireSetProtection({ ...plan, isPacked: true })).toThrow('archives may move')
  })
})
