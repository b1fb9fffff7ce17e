import { describe, expect, it } from 'vitest'
import { titleMember, titleNumbers, titleOf, titlePlace } from '../../../../src/domain/forecast/titles'

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
    const numbers = titleNumbers()
    const paths = ['a/m (1).x', 'a/n.x', 'm (1).x', 'a/m [2].y', 'a/m.z', 'n.x']
    expect(paths.map((path) => numbers.numberOf(path))).toEqual([0, 1, 2, 0, 0, 3])
    expect(numbers.count).toBe(4)
  })
})
