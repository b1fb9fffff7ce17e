import { describe, expect, it, test } from 'vitest'
import {
  folderLines,
  folderRecipe,
  recipeCode,
  recipeText,
} from '../../../../../src/domain/options/recipes/byFolder'
import {
  datGroupings,
  parseRecipe,
  partsOf,
  printRecipe,
} from '../../../../../src/domain/options/recipes/recipe'

describe('options by folder', () => {
  it('are named by their rules in order, with an option for the rest as the last one', () => {
    expect(folderRecipe(['Cowering/**=7z-dat'], '7z-t7z-files')).toEqual({
      name: 'by-folder(Cowering/**=7z-dat,*=7z-t7z-files)',
    })
  })

  it('give back patterns with every character, which options and names have a use for', () => {
    const lines = ['a (b), c@d/=x%=7z-titles', 'π\udcff/\n*=files-zstd-3', '**=torrentzip-sets']
    const found = folderRecipe(lines)
    const name = 'name' in found ? found.name : ''
    expect(name).toMatch(/^by-folder\([^@\n]*\)$/)
    expect(folderLines(name)).toEqual(lines)
  })

  it('show people their rules, and the others their names', () => {
    expect(recipeText('by-folder(a/=7z-dat,*=files-gzip-9)')).toBe('a/=7z-dat, *=files-gzip-9')
    expect(recipeCode('by-folder(a/=7z-dat,*=files-gzip-9)')).toBe('by-folder')
    expect([recipeText('7z-dat'), recipeCode('7z-dat')]).toEqual(['7z-dat', '7z-dat'])
  })

  it('have each option and each grouping by DATs once', () => {
    const recipe = parseRecipe('by-folder(a/=7z-dat,b/=7z-titles,c/=7z-dat,*=torrentzip-sets)')
    expect(recipe && partsOf(recipe).map(printRecipe)).toEqual(['7z-dat', '7z-titles', 'torrentzip-sets'])
    expect(recipe && datGroupings(recipe)).toEqual(['dat', 'sets'])
  })

  test.each([
    ['7z-dat', 'has no "="'],
    ['=7z-dat', 'no pattern before'],
    ['a/=', 'no option after'],
    ['!a/=7z-dat', 'begins with "!"'],
    ['a/=7z-best', 'there is no 7z-best'],
    ['a/=7z-solid-64m-path', 'one archive of all files'],
    ['a/=squashfs-gzip-128k', 'one archive of all files'],
    ['a/=restic-auto', 'one repository of all files'],
    ['a/=udsb', 'one disk image of all files'],
    ['a/=7z-titles+files', 'compares the archives of all folders'],
    ['a/=plain', 'packs nothing'],
    ['a/=blocks-4k', 'only forecast'],
  ])('are refused for %s', (line, because) => {
    const found = folderRecipe([line])
    expect('refusal' in found && found.refusal).toContain(because)
    expect('refusal' in found && found.refusal).toContain(`"${line}"`)
  })

  it('are refused for more rules than a name can have', () => {
    const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at}/=7z-dat`)
    expect(folderRecipe(lines(50))).toHaveProperty('name')
    expect(folderRecipe(lines(51))).toHaveProperty('refusal')
    expect(folderRecipe([`${'a'.repeat(1000)}=7z-dat`])).toHaveProperty('refusal')
  })
})
