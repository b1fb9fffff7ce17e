import { describe, expect, it } from 'vitest'
import { FILE_CLASSES as CONTRACT_CLASSES } from '../../../../src/contract/dto/survey'
import { FILE_CLASSES, fileClassOf } from '../../../../src/domain/survey/fileClass'
import { sizeHistogram } from '../../../../src/domain/survey/sizeHistogram'
import { stratumOfFile } from '../../../../src/domain/survey/strataTable'
import { extensionOf, typeTable } from '../../../../src/domain/survey/typeTable'
import { pathToBytes } from '../../../../src/primitives/pathText'

describe('extensions', () => {
  it.each([
    ['a.txt', 'txt'],
    ['folder.d/README', ''],
    ['x/IMG_0001.JPG', 'jpg'],
    ['.bashrc', ''],
    ['x/.bashrc', ''],
    ['x/.config.json', 'json'],
    ['tar.gz', 'gz'],
    ['ends.', ''],
    ['', ''],
    ['.', ''],
    ['..', ''],
    ['notes.for the meeting', ''],
    ['raw.\udcff\udcfe', ''],
    ['new\n.line', 'line'],
    [`a.${'x'.repeat(16)}`, 'x'.repeat(16)],
    [`a.${'x'.repeat(17)}`, ''],
    ['grüße.öpg', ''],
  ])('of %j is %j', (name, extension) => {
    expect(extensionOf(pathToBytes(name))).toBe(extension)
  })
})

describe('file classes', () => {
  it('are those of the contract', () => {
    expect([...FILE_CLASSES]).toEqual([...CONTRACT_CLASSES])
  })

  it.each([
    ['txt', 'text'],
    ['cr3', 'image'],
    ['flac', 'audio'],
    ['mkv', 'video'],
    ['7z', 'archive'],
    ['docx', 'archive'],
    ['dll', 'executable'],
    ['chd', 'discImage'],
    ['cue', 'discImage'],
    ['sparseimage', 'discImage'],
    ['n64', 'discImage'],
    ['dat', 'other'],
    ['', 'other'],
    ['constructor', 'other'],
  ])('of %j is %s', (extension, fileClass) => {
    expect(fileClassOf(extension)).toBe(fileClass)
  })
})

describe('the type table', () => {
  it('lists the largest types first and sums up the rest', () => {
    const table = typeTable()
    for (const [name, bytes] of [
      ['a.txt', 5],
      ['b.TXT', 6],
      ['c.iso', 100],
      ['d', 3],
      ['e.xyz', 3],
    ] as const) {
      table.add(pathToBytes(name), bytes)
    }
    expect(table.rows(2)).toEqual([
      { extension: 'iso', fileClass: 'discImage', files: 1, bytes: 100, bySize: [[7, 1, 100]] },
      { extension: 'txt', fileClass: 'text', files: 2, bytes: 11, bySize: [[3, 2, 11]] },
      { extension: null, fileClass: 'other', files: 2, bytes: 6, bySize: [[2, 2, 6]] },
    ])
    expect(table.rows(4).map((row) => row.extension)).toEqual(['iso', 'txt', '', 'xyz'])
  })

  it('tells cartridges from Markdown, and films from TypeScript, by their sizes', () => {
    const rowsOf = (...files: readonly (readonly [string, number])[]) => {
      const table = typeTable()
      for (const [name, bytes] of files) table.add(pathToBytes(name), bytes)
      return table.rows(9).map(({ extension, fileClass }) => [extension, fileClass])
    }
    const film = 188 * 1_000_000
    expect(rowsOf(['Sonic.md', 524_288], ['README.md', 12_345])).toEqual([['md', 'discImage']])
    expect(rowsOf(['film.ts', film], ['a.ts', 18_800])).toEqual([['ts', 'video']])
    expect(rowsOf(['README.md', 16_384], ['a.ts', 188 * 100])).toEqual([
      ['ts', 'text'],
      ['md', 'text'],
    ])
    expect(rowsOf(['long.md', 900_001], ['Sonic.md', 524_288])).toEqual([['md', 'text']])
    const cartridge = stratumOfFile(pathToBytes('Sonic.md'), 524_288)
    expect(cartridge).toBe(stratumOfFile(pathToBytes('Sonic.gen'), 524_288))
    expect(cartridge).not.toBe(stratumOfFile(pathToBytes('notes.md'), 524_289))
  })

  it('does not grow without limit with random extensions', () => {
    const table = typeTable()
    for (let k = 0; k < 100_500; k++) table.add(pathToBytes(`f.e${k}`), 1)
    const rows = table.rows(1_000_000)
    expect(rows.length).toBe(100_001)
    expect(rows.at(-1)).toEqual({
      extension: null,
      fileClass: 'other',
      files: 500,
      bytes: 500,
      bySize: [[1, 500, 500]],
    })
  })

  it('divides each type by the bins of the size histogram, whose sums it meets', () => {
    const table = typeTable()
    const histogram = sizeHistogram()
    for (let k = 0; k < 5000; k++) {
      const bytes = k % 7 === 0 ? 0 : (k * 2_654_435_761) % 2 ** (k % 40)
      table.add(pathToBytes(`f.e${k % 300}`), bytes)
      histogram.add(bytes)
    }
    const bins = histogram.bins()
    const sums = bins.map((bin) => ({ ...bin, files: 0, bytes: 0 }))
    for (const row of table.rows(200)) {
      const places = row.bySize.map(([place]) => place)
      expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b))
      for (const [place, files, bytes] of row.bySize) {
        const sum = sums[place]
        if (!sum) throw new Error(`no bin ${place}`)
        sum.files += files
        sum.bytes += bytes
      }
    }
    expect(sums).toEqual(bins)
  })
})
