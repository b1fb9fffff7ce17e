import { describe, expect, it } from 'vitest'
import { planRequestSchema } from '../../../../../src/contract/dto/plan'
import { labelPrefix, labelsByYear, volumeLabels } from '../../../../../src/domain/sets/naming/volumeLabels'

describe('volume labels', () => {
  it.each([
    ['Photos', 'PHOTOS'],
    ['Fotos à la carte (2024)', 'FOTOS_A_LA_CARTE_2024'],
    ['Größe', 'GROSSE'],
    ['写真', 'ARCHIVE'],
    ['', 'ARCHIVE'],
    ['raw\udcff\udcfe', 'RAW'],
    ['-- $(rm -rf) --', 'RM_RF'],
    ['abcdefghijklmnopqrstuvw xyz', 'ABCDEFGHIJKLMNOPQRSTUVW'],
  ])('begin with the name of the source: %j', (name, prefix) => {
    expect(labelPrefix(name)).toBe(prefix)
    expect(planRequestSchema.shape.labelPrefix.safeParse(prefix).success).toBe(true)
  })

  it('number the volumes with at least two digits, as many as the last one has', () => {
    expect(volumeLabels('A', 2)).toEqual(['A_01', 'A_02'])
    expect(volumeLabels('A', 100).slice(98)).toEqual(['A_099', 'A_100'])
    expect(volumeLabels('A', 0)).toEqual([])
  })

  it('number the volumes of each span of years, and take one that is given instead', () => {
    const of = (from: number, to = from): { from: number; to: number } => ({ from, to })
    const spans = [of(2018, 2020), of(2021), of(2021), null, of(2018, 2020)]
    expect(labelsByYear('PHOTOS', spans, [{ volume: 5, label: 'LAST' }])).toEqual([
      'PHOTOS_2018_2020_1',
      'PHOTOS_2021_1',
      'PHOTOS_2021_2',
      'PHOTOS_1',
      'LAST',
    ])
    const wide = labelsByYear('X'.repeat(40), Array(9999).fill(of(-5, 12_345)))
    expect(new Set(wide).size).toBe(9999)
    for (const label of wide) expect(label).toMatch(/^X+_0000_9999_[0-9]+$/)
    expect(wide.at(-1)).toHaveLength(32)
    expect(() => labelsByYear('A', [of(2021), null], [{ volume: 2, label: 'A_2021_1' }])).toThrow(
      'cannot label two volumes A_2021_1: 1 and 2',
    )
  })

  it('have at most 32 d-characters and are all different', () => {
    const labels = volumeLabels('X'.repeat(40), 12_345)
    expect(new Set(labels).size).toBe(12_345)
    for (const label of labels) expect(label).toMatch(/^[A-Z0-9_]{1,32}$/)
  })
})
