import { describe, expect, it } from 'vitest'
import type { SurveyTotals } from '../../../../src/domain/survey/surveyDocument'
import { costlyTinyFiles, tinyFilesTable } from '../../../../src/domain/survey/tinyFiles'

function tableOf(
  files: readonly (readonly [root: number, path: string, bytes: number])[],
  roots = ['/a', '/b'],
) {
  const table = tinyFilesTable(roots)
  for (const [root, path, bytes] of files) {
    // As the pass has them: one path after another.
    const before = Buffer.from('x/y')
    const all = Buffer.concat([before, Buffer.from(path)])
    table.add(root, all, bytes, before.length, all.length)
  }
  return table.figures()
}

function many(count: number, path: (at: number) => string, root = 0, bytes = 100) {
  return Array.from({ length: count }, (_, at) => [root, path(at), bytes] as const)
}

describe('tiny files', () => {
  it('are those of 1 to 4,095 bytes, and every file loses the rest of its last sector', () => {
    const found = tableOf([
      [0, 'empty', 0],
      [0, 'one', 1],
      [0, 'whole', 2048],
      [0, 'tiny', 4095],
      [0, 'large', 4096],
      [0, 'larger', 10_000],
    ])
    expect(found).toEqual({ files: 3, bytes: 6144, sectorLossBytes: 2047 + 0 + 1 + 0 + 240, folder: null })
  })

  it('name the deepest folder that holds most of them', () => {
    const found = tableOf([
      ...many(1200, (at) => `src/cache/${at}`),
      ...many(600, (at) => `src/other/${at}`),
      ...many(100, (at) => `top${at}`),
    ])
    expect(found.folder).toEqual({ path: '/a/src/cache', files: 1200, bytes: 120_000 })
  })

  it('name the folder above where no single one holds most', () => {
    const found = tableOf(many(1500, (at) => `src/p${at % 3}/${at}`))
    expect(found.folder).toEqual({ path: '/a/src', files: 1500, bytes: 150_000 })
  })

  it('name a root, the root of all, or none where they are in several roots', () => {
    expect(tableOf(many(1000, String)).folder?.path).toBe('/a')
    expect(tableOf(many(1000, String), ['/']).folder?.path).toBe('/')
    expect(
      tableOf(
        many(1000, (at) => `d/${at}`),
        ['/'],
      ).folder?.path,
    ).toBe('/d')
    const spread = [0, 1, 2].flatMap((root) => many(400, (at) => `${at}`, root))
    expect(tableOf(spread, ['/a', '/b', '/c']).folder).toBeNull()
  })

  it('count for the sixth folder where they are deeper', () => {
    const found = tableOf(many(1000, (at) => `1/2/3/4/5/6/7/8/${at}`))
    expect(found.folder?.path).toBe('/a/1/2/3/4/5/6')
  })

  it('are costly from 50,000 on, or where over 2 % is lost by at least a thousand', () => {
    const totals = { bytes: 100_000_000 } as SurveyTotals
    const tiny = { files: 1000, bytes: 1000, sectorLossBytes: 2_000_001, folder: null }
    expect(costlyTinyFiles({ totals, tinyFiles: tiny })).toBe(tiny)
    expect(costlyTinyFiles({ totals, tinyFiles: { ...tiny, sectorLossBytes: 2_000_000 } })).toBeNull()
    expect(costlyTinyFiles({ totals, tinyFiles: { ...tiny, files: 999 } })).toBeNull()
    const lots = { ...tiny, files: 50_001, sectorLossBytes: 1 }
    expect(costlyTinyFiles({ totals, tinyFiles: lots })).toBe(lots)
    expect(costlyTinyFiles({ totals })).toBeNull()
  })
})
