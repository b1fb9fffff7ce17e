import { describe, expect, it } from 'vitest'
import { parseRecipe } from '../../../../src/domain/options/recipes/recipe'
import { requireUsableRules, ruledFiles, ruledPath } from '../../../../src/engine/options/folderRules'

function ruled(name: string, files: readonly string[]) {
  const recipe = parseRecipe(name)
  if (recipe?.family !== 'by-folder') throw new Error(`${name} is not by folder`)
  requireUsableRules(recipe)
  return ruledFiles(recipe, files)
}

describe('rules by folder', () => {
  it('give a file to the first that describes it or a folder above it', () => {
    const rules =
      'by-folder(Cowering/**=7z-dat,TOSEC=7z-t7z-files,*.iso=files-zstd-3,/a/b/=7z-groups,*=7z-titles)'
    const { options, unused } = ruled(rules, [
      'Cowering/NES/game.nes',
      'Cowering/disc.iso',
      'more/TOSEC/deep/disc.iso',
      'x/disc.iso',
      'a/b/c/d',
      'x/a/b/c',
      'Cowering',
    ])
    expect(options).toEqual([
      '7z-dat',
      '7z-dat',
      '7z-t7z-files',
      'files-zstd-3',
      '7z-groups',
      '7z-titles',
      '7z-titles',
    ])
    expect(unused).toEqual([])
  })

  it('know names however accents are composed, and names that are not UTF-8', () => {
    const { options, unused } = ruled(
      'by-folder(Pok\u00e9mon/=7z-dat,b\udcff/=7z-groups,none/=7z-titles,*=7z-titles)',
      ['Poke\u0301mon/red.gb', 'b\udcff/file', 'c'],
    )
    expect(options).toEqual(['7z-dat', '7z-groups', '7z-titles'])
    expect(unused).toEqual(['none/'])
  })

  it('are refused where a file has none, and where a pattern cannot be understood', () => {
    expect(ruled('by-folder(a/=7z-dat)', []).unused).toEqual(['a/'])
    expect(() => ruled('by-folder(a/=7z-dat)', ['a/x', 'b/x'])).toThrow('no rule is for b/x;')
    expect(() => ruled('by-folder(a/=7z-dat)', ['b/x', 'c/x', 'd/x'])).toThrow('b/x and 2 other files;')
    expect(() => ruled('by-folder([a=7z-dat)', ['a'])).toThrow('cannot use the rule "[a", column')
  })

  it('know a file by its path below its source, and a source that is a file by its name', () => {
    const roots = ['/data/ROMs', '/data/one.iso']
    expect(ruledPath('/data/ROMs/NES/a.nes', roots)).toBe('NES/a.nes')
    expect(ruledPath('/data/one.iso', roots)).toBe('one.iso')
    expect(ruledPath('/file', ['/'])).toBe('file')
  })
})
