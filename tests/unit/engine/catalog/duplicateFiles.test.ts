import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import type { Catalog, SurveyWriter } from '../../../../src/engine/catalog/catalog'
import type { NewEntry } from '../../../../src/engine/catalog/entry'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import type { Bytes } from '../../../../src/primitives/bytes'
import { pathToBytes } from '../../../../src/primitives/pathText'
import { temporaryFolder } from '../../../support/temporaryFolder'

/** What a survey's document says besides what is tested here: nothing. */
const EMPTY = {
  schema: 'stowage.survey/1',
  createdWallMs: 1,
  totals: {
    files: 0,
    folders: 0,
    bytes: 0,
    allocatedBytes: 0,
    symlinks: 0,
    hardLinks: 0,
    hardLinkedBytes: 0,
    sparseBytes: 0,
    slackBytes: null,
    clonedBytes: null,
    emptyFiles: 0,
    skipped: 0,
  },
  fixedBlocks: [],
  chunked: [],
  compression: [],
  combined: [],
  solid: [],
  duplicateFiles: { groups: 0, files: 0, bytes: 0 },
  types: [],
  sizeHistogram: [],
  skipped: [],
  sha256: false,
  timing: { passMs: 1, wallMs: 1, peakRssBytes: 1, threads: 1, reading: null },
  partial: false,
} satisfies Omit<SurveyDocument, 'id' | 'roots'>

let catalog: Catalog
beforeEach(async () => {
  const opened = openCatalog(await temporaryFolder())
  catalog = opened
  onTestFinished(() => opened.close())
})

function file(id: number, path: string, content: number, bytes: number): NewEntry {
  const digest = new Uint8Array(16)
  new DataView(digest.buffer).setUint32(4, content)
  return {
    id,
    kind: 'file',
    rootIndex: 0,
    path: pathToBytes(path),
    bytes: bytes as Bytes,
    allocatedBytes: bytes as Bytes,
    mtimeNs: 0n,
    ctimeNs: 0n,
    device: 1n,
    inode: BigInt(id),
    mode: 0o100644,
    digest,
    sha256: null,
    linkTarget: null,
  }
}

function survey(id: string, roots: string[], fill: (writer: SurveyWriter) => void): void {
  const writer = catalog.beginSurvey(id)
  fill(writer)
  writer.finish({ ...EMPTY, id, roots })
}

describe('duplicate files', () => {
  it('are grouped by content, largest benefit first, with whole paths of every root', () => {
    survey('other', ['/other'], (writer) => writer.add([file(0, 'a', 1, 9_000_000)]))
    survey('s', ['/photos', '/'], (writer) =>
      writer.add([
        file(0, 'b\udcff\n', 1, 1000),
        file(1, 'a', 1, 1000),
        { ...file(2, 'c', 1, 1000), rootIndex: 1 },
        file(3, 'big 1', 2, 1_500_000),
        file(4, 'big 2', 2, 1_500_000),
        file(5, 'alone', 3, 9_000_000),
        file(6, 'empty 1', 4, 0),
        file(7, 'empty 2', 4, 0),
        file(8, 'same digest, other size', 1, 999),
        { ...file(9, 'a further name', 3, 9_000_000), kind: 'hardLink' },
      ]),
    )
    survey('later', ['/later'], (writer) => writer.add([file(0, 'a', 3, 9_000_000)]))
    expect(catalog.duplicateFiles('s', 10)).toEqual([
      { bytes: 1_500_000, copies: 2, savedBytes: 1_500_000, paths: ['/photos/big 1', '/photos/big 2'] },
      { bytes: 1000, copies: 3, savedBytes: 2000, paths: ['/photos/a', '/photos/b\udcff\n', '/c'] },
    ])
    expect(catalog.duplicateFiles('s', 1)).toHaveLength(1)
    expect(catalog.duplicateFiles('other', 10)).toEqual([])
  })

  it('list the first 20 paths of a large group and count them all', () => {
    survey('s', ['/r'], (writer) =>
      writer.add(Array.from({ length: 300 }, (_, k) => file(k, String(299 - k).padStart(3, '0'), 7, 10))),
    )
    const [group] = catalog.duplicateFiles('s', 500)
    expect(group).toMatchObject({ copies: 300, savedBytes: 2990 })
    expect(group?.paths).toEqual(Array.from({ length: 20 }, (_, k) => `/r/${String(k).padStart(3, '0')}`))
  })

  it('of 200,000 files are told within a second of work', () => {
    survey('s', ['/r'], (writer) =>
      writer.add(
        (function* () {
          for (let k = 0; k < 200_000; k++)
            yield file(k, `folder ${k % 977}/file ${k}`, (k * 7919) % 130_000, 1 + ((k * 7919) % 130_000))
        })(),
      ),
    )
    // Of this process: what else the machine does is no matter.
    const before = process.cpuUsage()
    const groups = catalog.duplicateFiles('s', 500)
    const { user, system } = process.cpuUsage(before)
    expect(groups).toHaveLength(500)
    expect(groups[0]).toMatchObject({ bytes: 130_000, copies: 2 })
    expect((user + system) / 1000).toBeLessThan(1000)
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
