import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Catalog, SurveyWriter } from '../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { EMPTY_DOCUMENT, fileEntry } from '../../../support/catalogSurvey'
import { temporaryFolder } from '../../../support/temporaryFolder'

let catalog: Catalog
beforeEach(async () => {
  const opened = openCatalog(await temporaryFolder())
  catalog = opened
  onTestFinished(() => opened.close())
})

function survey(id: string, roots: string[], fill: (writer: SurveyWriter) => void): void {
  const writer = catalog.beginSurvey(id)
  fill(writer)
  writer.finish({ ...EMPTY_DOCUMENT, id, roots })
}

describe('duplicate files', () => {
  it('are grouped by content, largest benefit first, with whole paths of every root', () => {
    survey('other', ['/other'], (writer) => writer.add([fileEntry(0, 'a', 1, 9_000_000)]))
    survey('s', ['/photos', '/'], (writer) =>
      writer.add([
        fileEntry(0, 'b\udcff\n', 1, 1000),
        fileEntry(1, 'a', 1, 1000),
        { ...fileEntry(2, 'c', 1, 1000), rootIndex: 1 },
        fileEntry(3, 'big 1', 2, 1_500_000),
        fileEntry(4, 'big 2', 2, 1_500_000),
        fileEntry(5, 'alone', 3, 9_000_000),
        fileEntry(6, 'empty 1', 4, 0),
        fileEntry(7, 'empty 2', 4, 0),
        fileEntry(8, 'same digest, other size', 1, 999),
        { ...fileEntry(9, 'a further name', 3, 9_000_000), kind: 'hardLink' },
      ]),
    )
    survey('later', ['/later'], (writer) => writer.add([fileEntry(0, 'a', 3, 9_000_000)]))
    expect(catalog.duplicateFiles('s', 10)).toEqual([
      { bytes: 1_500_000, copies: 2, savedBytes: 1_500_000, paths: ['/photos/big 1', '/photos/big 2'] },
      { bytes: 1000, copies: 3, savedBytes: 2000, paths: ['/photos/a', '/photos/b\udcff\n', '/c'] },
    ])
    expect(catalog.duplicateFiles('s', 1)).toHaveLength(1)
    expect(catalog.duplicateFiles('other', 10)).toEqual([])
  })

  it('list the first 20 paths of a large group and count them all', () => {
    survey('s', ['/r'], (writer) =>
      writer.add(
        Array.from({ length: 300 }, (_, k) => fileEntry(k, String(299 - k).padStart(3, '0'), 7, 10)),
      ),
    )
    const [group] = catalog.duplicateFiles('s', 500)
    expect(group).toMatchObject({ copies: 300, savedBytes: 2990 })
    expect(group?.paths).toEqual(Array.from({ length: 20 }, (_, k) => `/r/${String(k).padStart(3, '0')}`))
  })

  it('of a survey that is not there are refused', () => {
    expect(() => catalog.duplicateFiles('nothing', 5)).toThrow('no survey nothing in the catalog')
  })
})

describe('skipped files', () => {
  it('come page by page, and all without a page', () => {
    const skips = Array.from({ length: 2500 }, (_, k) => ({ path: `/r/${k}`, code: 'io', message: `m${k}` }))
    survey('before', ['/r'], (writer) => writer.skip({ path: '/b', code: 'io', message: '' }))
    survey('s', ['/r'], (writer) => {
      for (const skip of skips) writer.skip(skip)
    })
    survey('after', ['/r'], (writer) => writer.skip({ path: '/a', code: 'io', message: '' }))
    expect([...catalog.surveySkips('s')]).toEqual(skips)
    expect([...catalog.surveySkips('s', 0, 1000)]).toEqual(skips.slice(0, 1000))
    expect([...catalog.surveySkips('s', 2000, 1000)]).toEqual(skips.slice(2000))
    expect([...catalog.surveySkips('s', 2500, 1000)]).toEqual([])
  })
})
