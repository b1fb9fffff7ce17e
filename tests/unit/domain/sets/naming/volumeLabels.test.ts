import { describe, expect, it } from 'vitest'
import { planRequestSchema } from '../../../../../src/contract/dto/plan'
import { labelPrefix, volumeLabels } from '../../../../../src/domain/sets/naming/volumeLabels'

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

  it('have at most 32 d-characters and are all different', () => {
    const labels = volumeLabels('X'.repeat(40), 12_345)
    expect(new Set(labels).size).toBe(12_345)
    for (const label of labels) expect(label).toMatch(/^[A-Z0-9_]{1,32}$/)
  })
})
