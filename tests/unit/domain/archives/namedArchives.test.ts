import { describe, expect, it } from 'vitest'
import { namedArchives } from '../../../../src/domain/archives/namedArchives'

const archives = [
  { id: 'pr-1', name: 'Family' },
  { id: 'pr-2', name: 'family' },
  { id: 'pr-3', name: 'Fotos für Öl' },
  { id: 'pr-4', name: 'pr-1' },
]

const meant = (word: string): string[] => namedArchives(archives, word).map(({ id }) => id)

describe('the archives that a word can mean', () => {
  it.each([
    ['pr-1', ['pr-1']],
    ['Family', ['pr-1']],
    ['family', ['pr-2']],
    ['FAMILY', ['pr-1', 'pr-2']],
    // Typed on a Mac: accents are characters of their own.
    ['fotos f\u0075\u0308r \u006F\u0308l', ['pr-3']],
    ['Fam', []],
  ])('by "%s" are %j', (word, ids) => {
    expect(meant(word)).toEqual(ids)
  })
})
