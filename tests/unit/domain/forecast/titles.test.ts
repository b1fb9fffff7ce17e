import { describe, expect, it } from 'vitest'
import { titleMember, titleOf, titlePlace } from '../../../../src/domain/forecast/titles'

describe('titles', () => {
  it.each([
    ['Metroid (USA).bin', 'Metroid'],
    ['Metroid [h1].bin', 'Metroid'],
    ['Metroid (Japan) [T+Fre].zip', 'Metroid'],
    ['Metroid [b1] (Europe).zip', 'Metroid'],
    ['Metroid.bin', 'Metroid'],
    ['Metroid II.tar.gz', 'Metroid II.tar'],
    ['Metroid', 'Metroid'],
    // Without a space before it a bracket belongs to the name.
    ['f(x).txt', 'f(x)'],
    ['.profile', '.profile'],
    [' (only a tag).txt', ' (only a tag)'],
    ['(USA) Metroid.bin', '(USA) Metroid'],
    ['', ''],
  ])('%j is %j', (name, title) => {
    expect(titleOf(name)).toBe(title)
  })

  it('are of one folder each', () => {
    expect(titlePlace('a/b (1).x')).toBe('a/b')
    expect(titlePlace('a (1)/b.x')).toBe('a (1)/b')
    expect(titlePlace('b (1).x')).toBe('b')
    expect(titleMember('a (1)/b (2).x')).toBe('b (2).x')
  })
})
