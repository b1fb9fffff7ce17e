import { describe, expect, it, test } from 'vitest'
import { parseRecipe, printRecipe, type Recipe } from '../../../../../src/domain/options/recipes/recipe'
import { PERMANENT_NAMES } from '../../../../fixtures/options/permanentNames'

describe('permanent names of recipes', () => {
  test.each(PERMANENT_NAMES.map(({ name }) => name))('%s prints back as it was parsed', (name) => {
    const recipe = parseRecipe(name)
    expect(recipe).not.toBeNull()
    expect(printRecipe(recipe as Recipe)).toBe(name)
  })

  test.each<[string, Recipe]>([
    ['plain-hardlinks', { family: 'plain', hardLinks: true }],
    ['udzo', { family: 'apple-image', kind: 'udzo' }],
    ['7z-solid-64m-content', { family: 'seven-zip-solid', dictionaryBytes: 2 ** 26, order: 'content' }],
    ['7z-t7z-files', { family: 'seven-zip-merged', by: 'sets' }],
    ['7z-dat', { family: 'seven-zip-merged', by: 'dat' }],
    ['7z-titles+files', { family: 'seven-zip-blocks', by: 'titles', blockBytes: null }],
    ['7z-t7z-files+blocks-4k', { family: 'seven-zip-blocks', by: 'sets', blockBytes: 4096 }],
    ['7z-titles+blocks-2k', { family: 'seven-zip-blocks', by: 'titles', blockBytes: 2048 }],
    [
      'zfs-128k-zstd-3-nodedup',
      { family: 'zfs', recordBytes: 131_072, codec: 'zstd-3', deduplicates: false },
    ],
    ['zfs-4k-off-dedup', { family: 'zfs', recordBytes: 4096, codec: null, deduplicates: true }],
    ['borg-2-lz4', { family: 'borg', version: 2, codec: 'lz4' }],
    ['squashfs-zstd-3-1m', { family: 'squashfs', codec: 'zstd-3', blockBytes: 2 ** 20 }],
    ['files-zstd-3+as-is.jpg.mp4', { family: 'compressed-files', codec: 'zstd-3', asIs: ['jpg', 'mp4'] }],
    [
      '7z-solid-64m-path+as-is.7z',
      { family: 'seven-zip-solid', dictionaryBytes: 2 ** 26, order: 'path', asIs: ['7z'] },
    ],
    ['squashfs-gzip-1m+as-is.m4a', { family: 'squashfs', codec: 'gzip', blockBytes: 2 ** 20, asIs: ['m4a'] }],
    [
      'by-folder(a %2C%40/**=7z-dat,*.jpg=files-zstd-3+as-is.jpg,x=y=7z-titles)',
      {
        family: 'by-folder',
        rules: [
          { glob: 'a ,@/**', option: '7z-dat' },
          { glob: '*.jpg', option: 'files-zstd-3+as-is.jpg' },
          { glob: 'x=y', option: '7z-titles' },
        ],
      },
    ],
    ['blocks-512', { family: 'blocks', blockBytes: 512 }],
  ])('%s has its parameters', (name, recipe) => {
    expect(parseRecipe(name)).toEqual(recipe)
    expect(printRecipe(recipe)).toBe(name)
  })

  test.each([
    '',
    'tape',
    'Plain',
    'plain-',
    ' iso',
    '7z-solid-0m-path',
    '7z-solid-64m',
    '7z-solid-64m-size',
    '7z-solid-1024k-path',
    '7z-titles+',
    '7z-sets',
    '7z-titles+blocks-3k',
    '7zztitles+files',
    'blocks-511',
    'blocks-17m',
    'tar-zst-19-3m-path',
    'tar-zst-19-4m-type',
    'squashfs-xz-128k',
    'squashfs-gzip-256k',
    'erofs-lz4',
    'constructor',
    'files-zstd-3+as-is',
    'files-zstd-3+as-is.',
    'files-zstd-3+as-is.mp4.jpg',
    'files-zstd-3+as-is.jpg.jpg',
    'files-zstd-3+as-is.JPG',
    'files-zstd-3+as-is.jpg+as-is.mp4',
    'borg-1-zstd-3+as-is.jpg',
    'plain+as-is.jpg',
    '7z-titles+files+as-is.jpg',
    'by-folder()',
    'by-folder(*=7z-dat',
    'by-folder(*=7z-t7z)',
    'by-folder(*=by-folder(*=7z-dat))',
    'by-folder(=7z-dat)',
    'by-folder(7z-dat)',
    'by-folder(%2c=7z-dat)',
    'by-folder(*=7z-dat)+as-is.jpg',
  ])('%j is none', (name) => {
    expect(parseRecipe(name)).toBeNull()
  })

  it('are of every family', () => {
    const families = new Set(PERMANENT_NAMES.map(({ name }) => parseRecipe(name)?.family))
    expect(families.size).toBe(18)
  })
})
