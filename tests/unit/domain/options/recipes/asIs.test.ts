import { describe, expect, it, test } from 'vitest'
import {
  othersThanOwn,
  storesAsIs,
  typesAsIs,
  withTypesAsIs,
} from '../../../../../src/domain/options/recipes/asIs'
import { parseRecipe, printRecipe, type Recipe } from '../../../../../src/domain/options/recipes/recipe'

const recipeOf = (name: string): Recipe => parseRecipe(name) as Recipe

function named(name: string, types: readonly string[]): string {
  const found = withTypesAsIs(recipeOf(name), types)
  return 'refusal' in found ? found.refusal : printRecipe(found)
}

describe('types that a recipe stores as they are', () => {
  it('are in its name, each once and in order', () => {
    expect(named('files-zstd-3', ['mp4', 'jpg', 'mp4'])).toBe('files-zstd-3+as-is.jpg.mp4')
    expect(named('files-zstd-3+as-is.jpg', ['avi'])).toBe('files-zstd-3+as-is.avi.jpg')
    expect(typesAsIs(recipeOf('files-zstd-3+as-is.jpg'))).toEqual(['jpg'])
  })

  it('change nothing where there are none, or nothing is compressed', () => {
    expect(named('files-zstd-3', [])).toBe('files-zstd-3')
    for (const name of ['plain', 'plain-hardlinks', 'iso', 'udrw']) expect(named(name, ['jpg'])).toBe(name)
  })

  test.each([
    ['7z-t7z', 'torrent7z'],
    ['7z-titles', '7z-files'],
    ['7z-titles+files', '7z-files'],
    ['7z-groups', '7z-files'],
    ['torrentzip-titles', '7z-files'],
    ['7z-solid-64m-content', 'one tar'],
    ['udzo', 'know no files'],
    ['zfs-128k-lz4-dedup', 'by dataset'],
    ['borg-1-zstd-3', 'borg'],
    ['restic-auto', 'restic'],
    ['kopia-zstd-3', 'kopia'],
    ['blocks-4k', 'blocks'],
  ])('are refused by %s with the reason', (name, reason) => {
    expect(named(name, ['jpg'])).toMatch(/^it cannot store file types as they are: /)
    expect(named(name, ['jpg'])).toContain(reason)
  })

  it('are refused where compressed files have that ending', () => {
    expect(named('files-zstd-19', ['jpg', 'zst'])).toContain('end in .zst too')
    expect(named('files-gzip-6', ['zst'])).toBe('files-gzip-6+as-is.zst')
    expect(othersThanOwn(recipeOf('files-lz4'), ['jpg', 'lz4'])).toEqual(['jpg'])
    expect(othersThanOwn(recipeOf('7z-files'), ['lz4'])).toEqual(['lz4'])
  })

  it('are refused where they are no types, or too many', () => {
    expect(named('7z-files', ['c++'])).toBe('"c++" is not a file type of letters, digits, _ and -')
    const many = Array.from({ length: 41 }, (_, at) => `t${at}`)
    expect(named('7z-files', many)).toContain('at most 40 types')
  })

  it('are recognised by the extension of a file', () => {
    const isAsIs = storesAsIs(recipeOf('7z-files+as-is.jpg'))
    for (const path of ['a.jpg', 'b/A.JPG', 'a.txt.jpg']) expect([path, isAsIs(path)]).toEqual([path, true])
    for (const path of ['.jpg', 'jpg', 'a.jpg/b', 'a.jpg.txt', 'b/.jpg', 'a.jpgx'])
      expect([path, isAsIs(path)]).toEqual([path, false])
    expect(storesAsIs(recipeOf('7z-files'))('a.jpg')).toBe(false)
  })
})
